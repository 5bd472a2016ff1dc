import type { ProblemText } from '../errors.ts'
import type { ValuePath } from '../json.ts'
import type { Position } from '../source.ts'
import type { ExchangeKind } from './exchange-fields.ts'

/** The context of a parser: what its step sends, where its input is written, and how it reports problems. */
export type ParsePlace = {
  /** What the step sends, if that affects the fields of its response. */
  kind?: ExchangeKind | undefined
  /** True if it sends a GraphQL query, whose checks and captures may write `data` for `body.data`. */
  isGraphql?: boolean
  locate(path: ValuePath): Position
  report(path: ValuePath, problem: ProblemText, part?: 'key'): void
  /** The first place at or below `path` where the author left the value out, with its full path in words. */
  findEmpty(path: ValuePath): { below: ValuePath; name: string } | undefined
}

/** The same context for a parser with different paths; `move` translates them. */
export function movePlace(place: ParsePlace, move: (path: ValuePath) => ValuePath): ParsePlace {
  return {
    ...place,
    locate: (path) => place.locate(move(path)),
    report: (path, problem, part) => place.report(move(path), problem, part),
    findEmpty: (path) => place.findEmpty(move(path)),
  }
}

/** The same place for a parser of the value at `at`. */
export function inside(place: ParsePlace, at: ValuePath): ParsePlace {
  return movePlace(place, (path) => [...at, ...path])
}

/** A path of a check or capture with `body.` before the `data` or `errors` of a GraphQL response. */
export function openPath(path: string, { isGraphql }: ParsePlace): string {
  return isGraphql ? path.replace(/^\s*(?=(?:data|errors)(?![\w-]))/, 'body.') : path
}
