import { isJsonObject, type Json } from '../../json.ts'

/** What authors write in short, by the field: how that is written here. */
const HINTS: Readonly<Record<string, (input: Json) => string | undefined>> = {
  request: (input) => {
    if (typeof input !== 'string') return undefined
    const [, method = 'GET', url = '/'] = /^\s*(?:([A-Z]+)\s+)?(\S*)\s*$/.exec(input) ?? []
    return `Write \`request: { method: ${method}, url: ${/[,[\]{}#]/.test(url) ? `'${url}'` : url} }\`.`
  },
  call: (input) => (typeof input === 'string' ? `Write \`call: { suite: ${input} }\`.` : undefined),
  capture: (input) =>
    Array.isArray(input) ? 'Name what is captured: `capture: { id: body.id }`.' : undefined,
  custom: (input) =>
    Array.isArray(input) ? undefined : 'Start each with a hyphen: `- condition: body.ok === true`.',
  responses: (input) =>
    Array.isArray(input) ? undefined : 'Write for example `- { where: { status_code: 201 }, count: 1 }`.',
  iterate: (input) =>
    typeof input === 'number' ? `Write \`iterate: { range: "1..${input}", as: number }\`.` : undefined,
}

/** How a field is written of which the author wrote a short form that other tools know, or a list in the place of a map. */
export function hintShortForm(field: string | number | undefined, input: unknown): string | undefined {
  const hint = Object.hasOwn(HINTS, String(field)) ? HINTS[String(field)]?.(input as Json) : undefined
  if (hint !== undefined || !Array.isArray(input)) return hint
  return input.length > 0 && input.every(isJsonObject) ? 'Remove the hyphens: a map, not a list.' : undefined
}
