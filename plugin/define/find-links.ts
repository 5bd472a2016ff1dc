import { resolve } from 'node:path'
import { vi } from 'vitest'
import type { Problem } from '../../src/errors.ts'
import { createSuiteError } from '../../src/suite/load-suite.ts'
import { listSteps, type SuitePlan } from '../../src/suite/plan.ts'
import { findNode, type ValuePath } from '../../src/suite/source-tree.ts'
import type { LinkedPlan, Links } from '../links.ts'
import type { ImportModule } from '../messages.ts'
import { sendMessage } from '../send-message.ts'
import type { WorkerOptions } from '../project.ts'
import type { LoadedDefinition } from './load-definition.ts'

/** Imports through Vitest, which gives a test file no `import` of its own to hand on. */
const importModule: ImportModule = (id) => vi.importActual(id)

/** Imports of the application under test, if there is one. */
export function linkApp({ app, root }: WorkerOptions): Pick<Links, 'import' | 'app'> {
  return {
    import: importModule,
    ...(app !== undefined && { app: () => vi.importActual(resolve(root, app)) }),
  }
}

/** Finds the suite files that a definition reads from or calls. Throws a `SuiteError` for those that do not exist; without the plugin there are none. */
export async function findLinks(
  loaded: LoadedDefinition,
  options: WorkerOptions,
  alone: boolean,
): Promise<Links> {
  const { plan, tree, source } = loaded
  const links: Links = { ...linkApp(options), plans: {} }
  const problems: Problem[] = []
  for (const [reference, path] of listReferences(plan)) {
    const id = alone
      ? null
      : await sendMessage(importModule, { kind: 'find', reference, folder: plan.folder })
    if (typeof id === 'string') links.plans[reference] = () => vi.importActual<{ default: LinkedPlan }>(id)
    else if (path)
      problems.push({
        code: 'unknown-reference',
        severity: 'error',
        message: `No suite file has the node id \`${reference}\`.`,
        hint: alone
          ? 'Suite files are known only with the plugin: add `suites()` to the plugins of the Vitest configuration.'
          : 'A suite in TypeScript can need suites in YAML only.',
        range: findNode(tree, path).range,
      })
  }
  if (problems.length > 0) throw createSuiteError(source, problems)
  return links
}

/** References to other suites; those with a place must exist, the others may be names of anything. */
function listReferences(plan: SuitePlan): Map<string, ValuePath | undefined> {
  const references = new Map<string, ValuePath | undefined>(plan.foreign.map(({ root }) => [root, undefined]))
  for (const [index, nodeId] of plan.depends.entries()) references.set(nodeId, ['depends', index])
  for (const step of listSteps(plan)) {
    const list = step.phase === 'step' ? 'steps' : step.phase
    if (step.call) references.set(step.call.suite, [list, step.number - 1, 'call', 'suite'])
  }
  return references
}
