/** A file as read from disk: `path` is what messages show, `text` is without a byte order mark. */
export type SourceFile = { path: string; text: string }

/** Half-open range of UTF-16 offsets in a source text. */
export type Range = readonly [start: number, end: number]

/** A range of a suite; what another file says is where the suite names that, and has a place there too. */
export type Place = readonly [start: number, end: number, written?: Written]

/** A range of a file that suites share. */
type Written = { source: SourceFile; range: Range }

/** Where a place of a suite is written. */
export function findWritten([start, end, written]: Place, source: SourceFile): Written {
  return written ?? { source, range: [start, end] }
}

/** The part of a place that has these offsets in the text where it is written. */
export function narrow([from, to, written]: Place, start: number, end: number): Place {
  return written ? [from, to, { ...written, range: [start, end] }] : [start, end]
}

/** 1-based line and column (in UTF-16 units) in a suite file; `from` is where what stands there was said once for several steps. */
export type Position = readonly [line: number, column: number, from?: string]

/** A position as messages name it. */
export function showPosition(file: string, [line, column]: Position): string {
  return `${file}:${line}:${column}`
}

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

/** The option `defaults`, where messages name a file. */
export const OPTION = 'the option `defaults`'

/** Where something is written, as messages say it. The lines of an option are nobody's. */
export function showWritten({ source, range }: Written): string {
  return source.path === OPTION
    ? OPTION
    : `${source.path}:${positionAt(indexLines(source.text), range[0])[0]}`
}

/** Index of the last of ascending numbers or texts that is at most so large, by binary search; -1 if none is. */
export function findAtMost<Value extends number | string>(ascending: readonly Value[], most: Value): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] as Value) <= most) low = middle + 1
    else high = middle
  }
  return low - 1
}
