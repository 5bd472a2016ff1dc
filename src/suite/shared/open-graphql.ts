import { isJsonObject, type Json } from '../../json.ts'
import { changeItems, joinPlaced, listPlaced, type Placed } from './placed.ts'

const MEMBER = /^(?:data|errors)(?![\w-])/

/**
 * A step whose request is GraphQL, in the words of every other step: `data…` and `errors…` in checks and captures are
 * those of the answer's body, and errors fail it unless a check says what is expected of them.
 */
export function openGraphql(step: Placed): Placed {
  const parts = listPlaced(step)
  const request = parts.get('request')
  const graphql = request && listPlaced(request).get('graphql')
  if (!graphql) return step
  const scenarios = parts.get('scenarios')
  changeItems(parts, 'scenarios', openScenario)
  const assert = parts.get('assert')
  if (!assert || isJsonObject(assert.value)) {
    const checks = assert ? openAssert(assert) : { value: {}, node: graphql.node }
    const noErrors: Placed = {
      value: { exists: false },
      node: { range: graphql.node.key ?? graphql.node.range },
    }
    const isExpected = mentionsErrors(checks.value) || listBranches(scenarios?.value).some(mentionsErrors)
    const entries = listPlaced(checks)
    if (!isExpected) entries.set('body.errors', noErrors)
    if (entries.size > 0 || assert) parts.set('assert', joinPlaced(entries, checks.node))
  }
  return joinPlaced(openCapture(parts), step.node)
}

function openScenario(scenario: Placed): Placed {
  const parts = listPlaced(scenario)
  for (const key of ['then', 'else']) {
    const branch = parts.get(key)
    if (!branch || !isJsonObject(branch.value)) continue
    const inner = openCapture(listPlaced(branch))
    const assert = inner.get('assert')
    if (assert && isJsonObject(assert.value)) inner.set('assert', openAssert(assert))
    parts.set(key, joinPlaced(inner, branch.node))
  }
  return joinPlaced(parts, scenario.node)
}

/** `data.user` is `body.data.user`. */
function openAssert(assert: Placed): Placed {
  const entries = [...listPlaced(assert)].map(([key, part]): [string, Placed] => [
    MEMBER.test(key) ? `body.${key}` : key,
    part,
  ])
  return joinPlaced(new Map(entries), assert.node)
}

function openCapture(parts: Map<string, Placed>): Map<string, Placed> {
  const capture = parts.get('capture')
  if (!capture || !isJsonObject(capture.value)) return parts
  const entries = listPlaced(capture)
  for (const [name, { value, node }] of entries) {
    if (typeof value === 'string') entries.set(name, { value: openPath(value), node })
    else if (isJsonObject(value) && typeof value['path'] === 'string')
      entries.set(name, { value: { ...value, path: openPath(value['path']) }, node })
  }
  return parts.set('capture', joinPlaced(entries, capture.node))
}

function openPath(path: string): string {
  return path.replace(/^\s*/, '').replace(MEMBER, 'body.$&')
}

function listBranches(scenarios: Json | undefined): Json[] {
  const list = Array.isArray(scenarios) ? scenarios.filter(isJsonObject) : []
  return list
    .flatMap((scenario) => [scenario['then'], scenario['else']])
    .flatMap((branch) =>
      isJsonObject(branch) && branch['assert'] !== undefined ? [openKeys(branch['assert'])] : [],
    )
}

function openKeys(assert: Json): Json {
  return openAssert({ value: assert, node: { range: [0, 0] } }).value
}

/** True if a check looks at the errors, or at the body as a whole. */
function mentionsErrors(assert: Json): boolean {
  if (!isJsonObject(assert)) return false
  const { body } = assert
  const isWhole = body !== undefined && (!isJsonObject(body) || 'equals' in body)
  return isWhole || hasErrors(body) || Object.keys(assert).some((key) => /^body\.errors(?![\w-])/.test(key))
}

function hasErrors(body: Json | undefined): boolean {
  return isJsonObject(body) && Object.keys(body).some((key) => /^errors(?![\w-])/.test(key))
}
