import { makeMap, type Json, type ValuePath } from '../../json.ts'
import { parseFieldPath } from '../../path/field-path.ts'
import { wantsMap, type Operator } from './operator.ts'
import { showValue } from '../../text/show-value.ts'

const WANTED = '`true` or `{name, ignore: [paths]}`'

const explainBadSettings = wantsMap(WANTED, ['name', 'ignore'], ({ name, ignore = [] }) => {
  if (name !== undefined && (typeof name !== 'string' || name === '')) return 'a string as `name`'
  if (!Array.isArray(ignore)) return 'a list of paths as `ignore`'
  for (const path of ignore) {
    const steps = readSteps(path)
    if (typeof steps === 'string')
      return `paths as \`ignore\`; ${showValue(path)} is not a valid one: ${steps}`
  }
  return undefined
})

/** Prepares a value, without ignored paths, for Vitest's snapshots. Fails until the adapter compared it. */
export const snapshotOperator = {
  about: 'Compares with a Vitest snapshot; `ignore` leaves paths out.',
  operand: 'snapshot',
  explainBadOperand: (operand) => (operand === true ? undefined : explainBadSettings(operand)),
  judge(actual, operand) {
    const { name, ignore = [] } = operand as { name?: string; ignore?: Json[] }
    const value = ignore.reduce<Json>((kept, path) => dropPath(kept, readSteps(path) as ValuePath), actual)
    return {
      passed: false,
      message: 'The snapshot was not compared: only a Vitest run can do that',
      snapshot: { ...(name !== undefined && { name }), value },
    }
  },
} satisfies Operator

// `*` and `[*]` stand for every field or element.
function readSteps(path: Json): ValuePath | string {
  if (typeof path !== 'string') return 'it is not a string'
  const segments = parseFieldPath(path)
  if (typeof segments === 'string') return segments
  if (segments.some(({ name }) => typeof name === 'object' && name.each !== '')) return 'it has a filter'
  if (segments.some(({ name }) => typeof name === 'number' && name < 0)) return 'it counts from the end'
  return segments.map(({ name }) => (typeof name === 'object' ? '*' : name))
}

// Copies along the path only; the recursion is as deep as the author's path, not as the response.
function dropPath(value: Json, [step, ...rest]: ValuePath): Json {
  if (step === undefined || typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([key, part]): [string, Json][] => {
    if (step !== '*' && key !== String(step)) return [[key, part]]
    return rest.length === 0 ? [] : [[key, dropPath(part, rest)]]
  })
  return Array.isArray(value) ? kept.map(([, part]) => part) : makeMap(kept)
}
