import { suggestName } from '../text/suggest.ts'
import { captureRoots, explainLack, listRoots, type ExchangeKind } from './exchange-fields.ts'

/** What a condition can start with: `variables` too. */
export const pathRoots: readonly string[] = [...captureRoots, 'variables']

// What authors write instead.
const OTHER_NAMES: Readonly<Record<string, string>> = {
  response: 'body',
  data: 'body',
  json: 'body.json',
  status: 'status_code',
  code: 'status_code',
  response_time: 'response_time_ms',
}

/** Says that an expression starts at a name that is never there, so that it would always find nothing. */
export function findUnknownRoot(
  { source, rootPaths }: { source: string; rootPaths: readonly (readonly (string | number)[])[] },
  always: readonly string[],
  kind?: ExchangeKind,
): { message: string; hint: string } | undefined {
  const known = listRoots(always, kind)
  const unknown = rootPaths.map(([root]) => String(root)).find((root) => !known.includes(root))
  if (unknown === undefined) return undefined
  const lack = explainLack(unknown, 'paths', kind)
  if (lack) return { message: `\`${source}\` reads \`${unknown}\`, which ${lack.what}.`, hint: lack.hint }
  return {
    message: `\`${source}\` reads \`${unknown}\`, which a response does not have${suggestPath(source, unknown, known)}.`,
    hint: `What can be read: ${known.join(', ')}; text stands in single quotes.`,
  }
}

/** The path that was probably meant: below another name, or below `body`, where what an answer says is found. */
function suggestPath(source: string, unknown: string, known: readonly string[]): string {
  if (unknown === 'variables') return ''
  const [, rest = ''] = /^\s*(?:\$\.)?[\w-]+((?:[.[][\w.*[\]-]*)?)\s*$/.exec(source) ?? []
  const inner = /^\.(\w+)/.exec(rest)?.[1]
  const other = Object.hasOwn(OTHER_NAMES, unknown) ? OTHER_NAMES[unknown] : suggestName(unknown, known)
  const paths =
    unknown === 'response' && inner !== undefined && known.includes(inner)
      ? [rest.slice(1)]
      : other !== undefined
        ? [`${other}${rest}`]
        : ['body', ...known.filter((name) => name === 'variables')].map((root) => `${root}.${unknown}${rest}`)
  return ` (did you mean ${paths.map((path) => `\`${path}\``).join(' or ')}?)`
}
