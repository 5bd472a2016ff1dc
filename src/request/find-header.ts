import type { HeaderLines } from './exchange.ts'

/** First value of a header, its name in any case. */
export function findHeader(headers: HeaderLines, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1]
}
