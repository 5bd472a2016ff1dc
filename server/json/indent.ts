const LINES: string[] = []

/** A line break followed by the indentation of `depth` levels, two spaces each. */
export function lineBreak(depth: number): string {
  return (LINES[depth] ??= `\n${'  '.repeat(depth)}`)
}
