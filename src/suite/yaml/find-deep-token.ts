import type { CST } from 'yaml'

/** How many levels a file may nest. */
export const MAX_LEVELS = 100

/** Offset of the first collection that nests deeper than the limit, or undefined. */
export function findDeepToken(roots: readonly CST.Token[]): number | undefined {
  return findToken(roots, (token, level) => level >= MAX_LEVELS && 'items' in token)?.offset
}

/** Offset of the first line that is below more others by its indentation than there may be levels, or undefined. */
export function findDeepLine(text: string): number | undefined {
  const open: number[] = []
  for (const { 0: indent, index } of text.matchAll(/^ *(?=[^\s#])/gm)) {
    while (open.length > 0 && (open.at(-1) as number) >= indent.length) open.pop()
    open.push(indent.length)
    if (open.length > MAX_LEVELS) return index + indent.length
  }
  return undefined
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

/** The first value of a syntax tree that a test is true of, told its level; what is below the limit is refused anyway. */
function findToken(
  tokens: Iterable<CST.Token | null | undefined>,
  test: (token: CST.Token, level: number) => boolean,
  level = 0,
): CST.Token | undefined {
  for (const token of tokens) {
    if (!token) continue
    const isDocument = token.type === 'document'
    if (!isDocument && test(token, level)) return token
    const found = isDocument
      ? findToken([token.value], test, level)
      : 'items' in token && level < MAX_LEVELS
        ? findToken(
            token.items.flatMap(({ key, value }) => [key, value]),
            test,
            level + 1,
          )
        : undefined
    if (found) return found
  }
  return undefined
}
