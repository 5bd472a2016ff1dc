import { explainBadName } from '../../text/explain-bad-name.ts'
import type { LoadContext } from '../load-context.ts'
import { listSteps, pathOf, type StepPlan, type SuitePlan } from '../plan/plan.ts'
import type { PlacedReference } from '../reads/list-reads.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import type { ValuePath } from '../source-tree.ts'

/** Checks the keys beside `request` that are about its answer: they need one, and what a server sends must not name files. */
export function checkAnswerKeys(
  plan: SuitePlan,
  references: readonly PlacedReference[],
  context: LoadContext,
): void {
  for (const step of listSteps(plan)) checkStep(step, context)
  if (!listSteps(plan).some(({ save }) => hasTemplate(save))) return
  const given = listGiven(plan, references)
  for (const { path, root, range } of references)
    if (path[2] === 'save' && given.has(root))
      context.reportAt(range, {
        message: `The name in \`save\` reads \`${root}\`, which an answer may set: no server must choose a file.`,
        hint: 'Use a fixed text, suite variables, rows or a loop over values of your own.',
      })
}

function checkStep(step: StepPlan, context: LoadContext): void {
  const path = pathOf(step)
  const keys = [...(step.save === undefined ? [] : ['save']), ...(step.bodyAs ? ['body_as'] : [])]
  for (const key of step.request ? [] : keys)
    context.report(
      [...path, key],
      {
        message: `\`${key}\` is about the answer to a \`request\`, which this step does not send.`,
        hint: 'Write it in the step that sends the request.',
      },
      'key',
    )
  const problem = step.save === undefined || hasTemplate(step.save) ? undefined : explainBadName(step.save)
  if (problem !== undefined) context.report([...path, 'save'], { message: `${problem}.` })
}

/** Names whose values may come from an answer: captures, what other suites give, and variables and loops that read these. */
function listGiven(plan: SuitePlan, references: readonly PlacedReference[]): Set<string> {
  const given = new Set(listSteps(plan).flatMap(({ gives }) => gives))
  for (const { root } of plan.foreign) given.add(root)
  const loops = new Map(listSteps(plan).map(({ pointer, iterate }) => [pointer, iterate?.as]))
  // A set is walked while it grows: so names that read others come in.
  for (const name of given)
    for (const { root, path } of references) {
      const carrier = root === name ? findCarrier(path, loops) : undefined
      if (carrier !== undefined) given.add(carrier)
    }
  return given
}

/** The variable that has what is read at a place of the suite. */
function findCarrier(
  [list, item, key, name]: ValuePath,
  loops: ReadonlyMap<string, string | undefined>,
): string | undefined {
  if (list === 'variables') return String(item)
  if (key === 'variables') return String(name)
  return key === 'iterate' ? loops.get(`/${list}/${item}`) : undefined
}
