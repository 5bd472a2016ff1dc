import { isJsonObject, type JsonObject } from '../../json.ts'
import type { Range } from '../../source.ts'
import type { LoadContext } from '../load-context.ts'
import type { SuiteNeed } from '../plan/plan.ts'
import { findNode, type ValuePath } from '../source-tree.ts'

/** Where a suite names other suites: in `depends` and in the `call` of its steps. */
export function listNeeds(suite: JsonObject, context: LoadContext): SuiteNeed[] {
  const rangeOf = (path: ValuePath): Range => findNode(context.tree, path).range
  const depends = Array.isArray(suite['depends']) ? suite['depends'] : []
  const needs = depends.flatMap((nodeId, index): SuiteNeed[] =>
    typeof nodeId === 'string' ? [{ suite: nodeId, range: rangeOf(['depends', index]) }] : [],
  )
  for (const list of ['setup', 'steps', 'teardown'])
    for (const [index, step] of listMaps(suite[list])) {
      const call = step['call']
      if (!isJsonObject(call) || typeof call['suite'] !== 'string') continue
      const path = [list, index, 'call']
      needs.push({
        suite: call['suite'],
        range: rangeOf([...path, 'suite']),
        isCall: true,
        ...(typeof call['step'] === 'string' && {
          step: { name: call['step'], range: rangeOf([...path, 'step']) },
        }),
      })
    }
  return needs
}

function listMaps(list: unknown): [index: number, map: JsonObject][] {
  return Array.isArray(list)
    ? list.flatMap((item, index): [number, JsonObject][] => (isJsonObject(item) ? [[index, item]] : []))
    : []
}
