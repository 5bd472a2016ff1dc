const LINES: string[] = []

/** A line break followed by the indentation of `depth` levels, two spaces each. */
export function lineBreak(depth: number): string {
  while (LINES.length <= depth) LINES.push(`\n${'  '.repeat(LINES.length)}`)
  return LINES[depth] as string
}
