import { plainName } from '../../text/suggest.ts'
import { suiteSchema } from './schema.ts'

let allOwners: ReadonlyMap<string, ReadonlySet<string>> | undefined

/** Says where a key belongs that was written at a wrong place; undefined if that is not one place. */
export function hintOwner(key: string): string | undefined {
  const owners = (allOwners ??= listOwners()).get(plainName(key)) ?? new Set()
  if (owners.size === 2 && owners.has('') && owners.has('steps')) return 'It belongs in a suite or a step.'
  const [owner] = owners
  if (owner === undefined || owners.size > 1) return undefined
  if (owner === '') return `It belongs in the suite${key === 'steps' ? '' : ', beside `steps`'}.`
  return owner === 'steps' ? 'It belongs in a step, below `steps`.' : `It belongs below \`${owner}\`.`
}

/** All keys of the format, in plain form, each with those that it can be written below: none for a key of the suite, `steps` for one of a step. */
function listOwners(): Map<string, Set<string>> {
  const owners = new Map<string, Set<string>>()
  const seen = new Map<object, Set<string>>()
  const visit = (schema: object, owner: string): void => {
    const among = seen.get(schema) ?? new Set()
    if (among.has(owner)) return
    seen.set(schema, among.add(owner))
    const { entries = {}, wrapped, item, value, options = [], pipe = [] }: SchemaParts = schema
    for (const [key, below] of Object.entries(entries)) {
      owners.set(plainName(key), (owners.get(plainName(key)) ?? new Set()).add(owner))
      visit(below, key === 'setup' || key === 'teardown' ? 'steps' : key)
    }
    for (const part of [wrapped, item, value, ...options, ...pipe])
      if (typeof part === 'object') visit(part, owner)
  }
  visit(suiteSchema, '')
  return owners
}

/** Where Valibot's schemas have others, by kind. */
type SchemaParts = {
  entries?: Record<string, object>
  wrapped?: object
  item?: object
  value?: object
  options?: object[]
  pipe?: object[]
}
