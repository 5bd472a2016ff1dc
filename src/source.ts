/** A file as read from disk: `path` is what messages show, `text` is without a byte order mark. */
export type SourceFile = { path: string; text: string }

/** Half-open range of UTF-16 offsets in a source text. */
export type Range = readonly [start: number, end: number]

/** 1-based line and column (in UTF-16 units) in a suite file. */
export type Position = readonly [line: number, column: number]

/** A position together with the file it is in. */
export type Location = { file: string; line: number; column: number }

/** Offsets at which the lines of a text start. Build once per file, then ask `positionAt` many times. */
export type LineIndex = readonly number[]

/** Finds the start offset of every line; lines end at `\n` (so `\r\n` counts once). */
export function indexLines(text: string): LineIndex {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Turns an offset into a 1-based line and column by binary search. */
export function positionAt(lines: LineIndex, offset: number): Position {
  let low = 0
  let high = lines.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((lines[middle] as number) <= offset) low = middle
    else high = middle - 1
  }
  return [low + 1, offset - (lines[low] as number) + 1]
}
