/** A file as read from disk: `path` as messages show it, `text` without a byte order mark. */
export type SourceFile = { path: string; text: string }

/** Half-open range of UTF-16 offsets in a source text. */
export type Range = readonly [start: number, end: number]

/** A range in a suite. For content from another file: where the suite names the file, and the place in it. */
export type Place = readonly [start: number, end: number, written?: Written]

/** A range in a particular file. */
export type Written = { source: SourceFile; range: Range }

/** Finds the file and range where the content of a place is really written. */
export function findWritten([start, end, written]: Place, source: SourceFile): Written {
  return written ?? { source, range: [start, end] }
}

/** Narrows a place to the offsets `start` to `end` in the text where it is written. */
export function narrow([from, to, written]: Place, start: number, end: number): Place {
  return written ? [from, to, { ...written, range: [start, end] }] : [start, end]
}

/** 1-based line and column (in UTF-16 units) in a suite; `from`: `file:line` of content that suites share. */
export type Position = readonly [line: number, column: number, from?: string]

/** Formats a position for messages: `file:line:column`. */
export function showPosition(file: string, [line, column]: Position): string {
  return `${file}:${line}:${column}`
}

/** The offsets at which the lines of a text start. Built once per file, for many calls of `positionAt`. */
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

const OPTION = 'the option `'

/** What messages show instead of a file for settings in an option of the plugin. */
export function nameOption(name: string): string {
  return `${OPTION}${name}\``
}

/** Formats where content is written: `path:line`, or the name of the option, which has no lines. */
export function showWritten({ source, range }: Written): string {
  return source.path.startsWith(OPTION)
    ? source.path
    : `${source.path}:${positionAt(indexLines(source.text), range[0])[0]}`
}

/** Binary search: the index of the last value that is at most `most`, or -1. Values must be ascending. */
export function findAtMost<Value extends number | string>(ascending: readonly Value[], most: Value): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] as Value) <= most) low = middle + 1
    else high = middle
  }
  return low - 1
}
