import type { LoadContext } from '../load-context.ts'
import { listSteps, pathOf, type SuitePlan } from '../plan/plan.ts'

/** Reports the first request of which nothing says where it goes: a path, in a suite without `base_url`, where there is no application. */
export function checkAddress(plan: SuitePlan, context: LoadContext): void {
  const { hasApp, extension, variables = [] } = context.options
  // Hooks of the user's own may write the whole address.
  if (plan.baseUrl !== undefined || hasApp !== false || extension !== undefined) return
  // One that cannot be read is told of already.
  if (context.elsewhere.length > 0 || context.tree.children?.has('base_url')) return
  for (const step of listSteps(plan)) {
    const url = step.request?.url
    if (typeof url !== 'string' || /^\s*(?:[a-z][a-z\d+.-]*:|\{\{)/i.test(url)) continue
    const base = variables.includes('base_url') ? "'{{base_url}}'" : 'http://localhost:3000'
    return context.report([...pathOf(step), step.websocket ? 'websocket' : 'request', 'url'], {
      message: `Expected a whole address, as this suite has no \`base_url\`, got \`${url}\`.`,
      hint: `Add \`base_url: ${base}\` to the suite, or set the option \`app\`.`,
    })
  }
}
