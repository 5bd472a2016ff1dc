import type { CST } from 'yaml'

/** How many levels a file may nest. */
export const MAX_LEVELS = 100

/** Offset of the first collection that nests deeper than the limit, or undefined. */
export function findDeepToken(roots: readonly CST.Token[]): number | undefined {
  return findToken(roots, (token, level) => level >= MAX_LEVELS && 'items' in token)?.offset
}

/** Offset of the quoted text that ends (without its closing quote) at an offset, or undefined. */
export function findOpenQuote(roots: readonly CST.Token[], end: number): number | undefined {
  const endsThere = (token: CST.Token): boolean =>
    /quoted/.test(token.type) && 'source' in token && token.offset + token.source.length === end
  return findToken(roots, endsThere)?.offset
}

/** Offset of the last bracket opened before an offset and never closed by its own kind, or undefined. */
export function findOpenBracket(roots: readonly CST.Token[], before: number): number | undefined {
  let open: number | undefined
  findToken(roots, (token) => {
    if (token.type !== 'flow-collection' || token.offset >= before || token.offset < (open ?? 0)) return false
    const closing = token.start.source === '{' ? '}' : ']'
    if (!token.end.some(({ source }) => source === closing)) open = token.offset
    return false
  })
  return open
}

/** The first value of a syntax tree that a test is true of, told its level. Iterative: the tree may be a million levels deep. */
function findToken(
  roots: readonly CST.Token[],
  test: (token: CST.Token, level: number) => boolean,
): CST.Token | undefined {
  const open = [...roots]
  const levels = roots.map(() => 0)
  for (let token = open.pop(); token; token = open.pop()) {
    const level = levels.pop() as number
    const isDocument = token.type === 'document'
    if (!isDocument && test(token, level)) return token
    // No deeper than the limit: what is below is refused anyway.
    if (level >= MAX_LEVELS) continue
    for (const child of listChildren(token)) {
      if (!child) continue
      open.push(child)
      levels.push(isDocument ? level : level + 1)
    }
  }
  return undefined
}

function listChildren(token: CST.Token): (CST.Token | null | undefined)[] {
  if (token.type === 'document') return [token.value]
  return 'items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : []
}
