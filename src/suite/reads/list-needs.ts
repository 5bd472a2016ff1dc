import type { Range } from '../../source.ts'
import type { LoadContext } from '../load-context.ts'
import type { SuiteNeed } from '../plan/plan.ts'
import type { SuiteInput } from '../schema/schema.ts'
import { findNode, type ValuePath } from '../source-tree.ts'

/** Where a suite names other suites: in `depends` and in the `call` of its steps. */
export function listNeeds(suite: Partial<SuiteInput>, context: LoadContext): SuiteNeed[] {
  const rangeOf = (path: ValuePath): Range => findNode(context.tree, path).range
  const needs = (suite.depends ?? []).map((nodeId, index): SuiteNeed => ({
    suite: nodeId,
    range: rangeOf(['depends', index]),
  }))
  for (const list of ['setup', 'steps', 'teardown'] as const)
    for (const [index, { call }] of (suite[list] ?? []).entries()) {
      const path = [list, index, 'call']
      if (call?.suite === undefined) continue
      needs.push({
        suite: call.suite,
        range: rangeOf([...path, 'suite']),
        isCall: true,
        ...(call.step !== undefined && { step: { name: call.step, range: rangeOf([...path, 'step']) } }),
        inputs: Object.keys(call.variables ?? {}).map((name) => {
          const { key, range } = findNode(context.tree, [...path, 'variables', name])
          return { name, range: key ?? range }
        }),
      })
    }
  return needs
}
