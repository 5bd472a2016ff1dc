import { hasTemplate } from '../../interpolation/template.ts'
import { isJsonObject, type Json, type ValuePath } from '../../json.ts'
import { hintSpace } from './suggest-key.ts'

/** What to write instead of a wrong value, where that can be told. With `isYaml`, also how lists and maps are written in YAML. */
export function hintValue(
  path: ValuePath,
  input: Json,
  { expected, isYaml }: { expected: string; isYaml: boolean },
): string | undefined {
  return findHint(path, input, expected) ?? (isYaml ? hintLayout(path, input, expected) : undefined)
}

function findHint(path: ValuePath, input: Json, expected: string): string | undefined {
  const field = String(path.at(-1))
  if (/^a (?:non-empty )?string/.test(expected) && (typeof input === 'number' || typeof input === 'boolean'))
    return `Put quotes around it: '${String(input)}'.`
  if (field === 'steps' && Array.isArray(input)) return 'Add a step to it.'
  if (field === 'respond' && Array.isArray(input))
    return 'Write one mock for each answer, with `times: 1` in all but the last.'
  if (field === 'respond' && typeof input === 'number') return `Write \`respond: { status: ${input} }\`.`
  if (field === 'burst' && typeof input === 'number') return `Write \`burst: { times: ${input} }\`.`
  if (field === 'auth' && typeof input === 'string')
    return 'For example, write `auth: { bearer: "{{token}}" }`.'
  if (field === 'save' && isJsonObject(input)) return 'To keep values of the response, write `capture`.'
  if (field === 'basic' || field === 'digest') return 'Write `username` and `password` below it.'
  if (!expected.includes('map')) return undefined
  // What is before the colon of credentials may be one of them.
  const isOpen = typeof input === 'string' && !path.includes('auth')
  const hint = isOpen ? (hintFields(field, input) ?? hintSpace(input)) : undefined
  const isChecks = field === 'assert' && input !== null && !isMaps(input)
  return hint ?? (isChecks ? 'For example, write `assert: { status_code: 200 }`.' : undefined)
}

/** How to write a request or call as a map, if its author wrote a text. */
function hintFields(field: string, text: string): string | undefined {
  if (field === 'call') return `Write \`call: { suite: ${text} }\`.`
  if (field === 'graphql') return 'Write the query as `query` below it.'
  if (field !== 'request') return undefined
  const [, method = 'GET', url] =
    /^\s*(?:([A-Z]+)\s+)?([^\s:,[\]{}#]*|\S*:(?:\d|\/\/)\S*)\s*$/.exec(text) ?? []
  return url === undefined ? undefined : `Write \`request: { method: ${method}, url: ${url} }\`.`
}

/** How an item of a list starts. */
const STARTS: Readonly<Record<string, string>> = {
  steps: 'name: Log in',
  setup: 'name: Log in',
  teardown: 'name: Log out',
  scenarios: 'condition: …',
  mocks: 'url: …',
  custom: 'condition: …',
}

/** How to write a list or map in YAML whose author wrote nothing, or one as the other. */
function hintLayout(path: ValuePath, input: Json, expected: string): string | undefined {
  const field = String(path.at(-1))
  const isList = expected.startsWith('a list')
  if (isList && field === 'each' && hasTemplate(input))
    return 'Rows are a list that is written out, or a file: `each: { file: rows.csv }`. For a computed list, give a step `iterate`.'
  if (isList && field === 'each' && typeof input === 'string') return `Write \`each: { file: ${input} }\`.`
  if (field === 'over' && isJsonObject(input) && typeof input['file'] === 'string')
    return `Rows in a file belong to the whole suite: write \`each: { file: ${input['file']} }\` beside \`steps\`.`
  const isName = typeof input === 'string' && /names|tags/.test(expected) && /^[\w./-]+$/.test(input)
  if (isList && isName) return `Write \`${field}: [${input}]\`.`
  if (isList && !Array.isArray(input))
    return `Start each with a hyphen${STARTS[field] ? `: \`- ${STARTS[field]}\`` : ''}.`
  if (input === null)
    return expected.includes('map') ? 'Indent what belongs below it.' : 'Write a value, or remove it.'
  if (!isMaps(input) || !expected.includes('map')) return undefined
  const isPairs = (input as Json[]).every((item) => isJsonObject(item) && Object.hasOwn(item, 'value'))
  return isPairs ? 'Write each as `name: value`, without a hyphen.' : 'Remove the hyphens.'
}

function isMaps(input: Json): boolean {
  return Array.isArray(input) && input.some(isJsonObject)
}
