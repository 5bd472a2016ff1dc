import type { CST } from 'yaml'

/** How many levels a file may nest. */
export const MAX_LEVELS = 100

/** Offset of the first collection that nests deeper than the limit, or undefined. */
export function findDeepToken(roots: readonly CST.Token[]): number | undefined {
  for (const [token, level] of walkTokens(roots))
    if ('items' in token && level >= MAX_LEVELS) return token.offset
  return undefined
}

/** Offset of the quoted text that ends (without its closing quote) at an offset, or undefined. */
export function findOpenQuote(roots: readonly CST.Token[], end: number): number | undefined {
  for (const [token] of walkTokens(roots))
    if (/quoted/.test(token.type) && 'source' in token && token.offset + token.source.length === end)
      return token.offset
  return undefined
}

/** All values of a syntax tree with their levels. Iterative: the tree may be a million levels deep. */
function* walkTokens(roots: readonly CST.Token[]): Generator<[token: CST.Token, level: number]> {
  const open: [token: CST.Token, level: number][] = roots.map((token) => [token, 0])
  for (let top = open.pop(); top; top = open.pop()) {
    const [token, level] = top
    if (token.type === 'document') {
      if (token.value) open.push([token.value, level])
      continue
    }
    yield top
    // No deeper than the limit: what is below is refused anyway.
    if (!('items' in token) || level >= MAX_LEVELS) continue
    for (const { key, value } of token.items)
      for (const child of [key, value]) if (child) open.push([child, level + 1])
  }
}
