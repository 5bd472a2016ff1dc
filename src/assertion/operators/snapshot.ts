import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { parseFieldPath } from '../../path/field-path.ts'
import { ANY_TYPE, explainKeys, type Operator } from './operator.ts'
import { showValue } from '../../text/show-value.ts'

/** Hands the value, without its ignored paths, to Vitest's snapshots; a failure until the adapter has compared it. */
export const snapshotOperator = {
  about: "Compared with Vitest's snapshot; `ignore` leaves paths out.",
  operand: 'snapshot',
  explainBadOperand: refuseSnapshot,
  takes: ANY_TYPE,
  resolve: (operand) => operand,
  judge(actual, operand) {
    const { name, ignore = [] } = (operand === true ? {} : operand) as { name?: string; ignore?: Json[] }
    const value = ignore.reduce<Json>(
      (kept, path) => dropPath(kept, readSteps(path) as (string | number)[]),
      actual,
    )
    return {
      passed: false,
      message: 'The snapshot was not compared: only a Vitest run can do that',
      snapshot: { ...(name !== undefined && { name }), value },
    }
  },
} satisfies Operator

function refuseSnapshot(operand: Json): string | undefined {
  if (operand === true) return undefined
  if (!isJsonObject(operand) || Object.keys(operand).length === 0)
    return '`true` or `{name, ignore: [paths]}`'
  const wrong = explainKeys(operand, ['name', 'ignore'])
  if (wrong !== undefined) return wrong
  if (operand['name'] !== undefined && (typeof operand['name'] !== 'string' || operand['name'] === ''))
    return 'a text as `name`'
  const ignore = operand['ignore'] === undefined ? [] : operand['ignore']
  if (!Array.isArray(ignore)) return 'a list of paths as `ignore`'
  for (const path of ignore) {
    const steps = readSteps(path)
    if (typeof steps === 'string') return `paths as \`ignore\`; ${showValue(path)} is none: ${steps}`
  }
  return undefined
}

// `*` and `[*]` stand for every field or element.
function readSteps(path: Json): (string | number)[] | string {
  if (typeof path !== 'string') return 'it is not a text'
  const segments = parseFieldPath(path)
  if (typeof segments === 'string') return segments
  if (segments.some(({ name }) => typeof name === 'object' && name.each !== '')) return 'it has a filter'
  if (segments.some(({ name }) => typeof name === 'number' && name < 0)) return 'it counts from the end'
  return segments.map(({ name }) => (typeof name === 'object' ? '*' : name))
}

// Copies along the path only; recursion is as deep as the author's path, not as the answer.
function dropPath(value: Json, steps: readonly (string | number)[]): Json {
  const [step, ...rest] = steps
  if (step === undefined || typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value).filter((key) => step === '*' || key === String(step))
  if (keys.length === 0) return value
  if (Array.isArray(value)) {
    const dropped = new Set(keys)
    if (rest.length === 0) return value.filter((_, index) => !dropped.has(String(index)))
    return value.map((item, index) => (dropped.has(String(index)) ? dropPath(item, rest) : item))
  }
  const copy: JsonObject = Object.assign(Object.create(null) as JsonObject, value)
  for (const key of keys) {
    if (rest.length === 0) delete copy[key]
    else copy[key] = dropPath(value[key] as Json, rest)
  }
  return copy
}
