import type { ProblemText } from '../errors.ts'
import type { ValuePath } from '../json.ts'
import type { Position } from '../source.ts'
import type { ExchangeKind } from './exchange-fields.ts'

/** Where a parser works: where what it reads is written, what its step sends, and whom it tells what is wrong. */
export type ParsePlace = {
  /** What the step sends, if that decides on what its answer has. */
  kind?: ExchangeKind | undefined
  locate(path: ValuePath): Position
  report(path: ValuePath, problem: ProblemText, part?: 'key'): void
  /** The first place below, or the place itself, where nothing is written, with its whole path in words. */
  findEmpty(path: ValuePath): { below: ValuePath; name: string } | undefined
}

/** The same for a parser whose paths become others. */
export function movePlace(place: ParsePlace, move: (path: ValuePath) => ValuePath): ParsePlace {
  return {
    kind: place.kind,
    locate: (path) => place.locate(move(path)),
    report: (path, problem, part) => place.report(move(path), problem, part),
    findEmpty: (path) => place.findEmpty(move(path)),
  }
}

/** The same further in. */
export function inside(place: ParsePlace, at: ValuePath): ParsePlace {
  return movePlace(place, (path) => [...at, ...path])
}
