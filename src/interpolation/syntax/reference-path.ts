/** A name and the keys after it, as in `a.b`, `list.0.id`, `list[0].id`, `node-id.name`, `headers['x-id']`. */
export type ReferencePath = { root: string; path: (string | number)[] }

const name = String.raw`[\p{L}\p{N}\p{M}_$]+(?:-+[\p{L}\p{N}\p{M}_$]+)*`
const keys = String.raw`(?:\.${name}|\[\d+\]|\['[^'\\\n]*'\]|\["[^"\\\n]*"\])*`
const closedPath = new RegExp(String.raw`\s*(${name}${keys})\s*\}\}`, 'uy')
const segment = new RegExp(String.raw`${name}|'[^']*'|"[^"]*"`, 'gu')

/** Reads a path that fills the braces: `at` is just after `{{`, `end` just after `}}`. Undefined when it is something else. */
export function readClosedPath(
  text: string,
  at: number,
): { source: string; start: number; end: number } | undefined {
  closedPath.lastIndex = at
  const match = closedPath.exec(text)
  if (!match) return undefined
  const source = match[1] as string
  return { source, start: text.indexOf(source, at), end: closedPath.lastIndex }
}

/** Splits a path into its keys; whole numbers in the shape of an index become numbers. */
export function splitPath(source: string): ReferencePath {
  const [root = '', ...path] = (source.match(segment) ?? []).map((part) => part.replace(/^['"]|['"]$/gu, ''))
  return { root, path: path.map((key) => (/^(?:0|[1-9]\d{0,8})$/u.test(key) ? Number(key) : key)) }
}
