import { isJsonObject } from '../../../../src/json.ts'
import type { ValuePath } from '../../../../src/suite/source-tree.ts'
import { findReads } from './find-reads.ts'
import type { LiftedFunction } from './lift-functions.ts'

const LISTS = ['setup', 'steps', 'teardown']

/** What a function reads, as expressions: where its text does not tell, everything that earlier steps give. */
export function listReads(call: LiftedFunction['call'], path: ValuePath, definition: unknown): string[] {
  const reads = findReads(call)
  if (!reads)
    return [...new Set(listGiven(definition, path)).values().map((name) => writeRead([name])), 'body']
  const names = [...new Set(reads.variables.map(writeRead))]
  return reads.body ? [...names, 'body'] : names
}

/** `variables.auth.token`; a name that is not an identifier is written so that no character of it means anything. */
function writeRead(names: readonly string[]): string {
  return `variables${names.map(writeMember).join('')}`
}

function writeMember(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return `.${name}`
  const text = name.replaceAll(/[^\w-]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `["${text}"]`
}

/** Names that the steps before the one of a function capture or set. */
function listGiven(definition: unknown, [list, index]: ValuePath): string[] {
  if (!isJsonObject(definition) || typeof index !== 'number') return []
  const earlier = LISTS.slice(0, LISTS.indexOf(String(list)) + 1).flatMap((name) => {
    const steps: unknown = definition[name]
    if (!Array.isArray(steps)) return []
    return (name === list ? steps.slice(0, index) : steps) as unknown[]
  })
  return earlier.flatMap(listNames)
}

function listNames(step: unknown): string[] {
  if (!isJsonObject(step)) return []
  const scenarios: unknown[] = Array.isArray(step['scenarios']) ? step['scenarios'] : []
  const branches = scenarios.flatMap((scenario) =>
    isJsonObject(scenario) ? [scenario['then'], scenario['else']] : [],
  )
  return [step, ...branches].flatMap((part) =>
    isJsonObject(part) ? [part['capture'], part['variables']].flatMap((map) => Object.keys(map ?? {})) : [],
  )
}
