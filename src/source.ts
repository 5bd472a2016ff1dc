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

/** Turns an offset into a 1-based line and column. */
export function positionAt(lines: LineIndex, offset: number): Position {
  const line = Math.max(0, findAtMost(lines, offset))
  return [line + 1, offset - (lines[line] as number) + 1]
}

/** Index of the last of ascending numbers that is at most so large, by binary search; -1 if none is. */
export function findAtMost(ascending: readonly number[], most: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] as number) <= most) low = middle + 1
    else high = middle
  }
  return low - 1
}
