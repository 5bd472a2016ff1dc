/**
 * Cuts the text of one step out of its suite: the list item around the given 1-based line, its indentation taken off.
 * Empty when the line is in no list item (flow style, generated suites).
 */
export function sliceYaml(suite: string, line: number): string {
  const lines = suite.split('\n')
  let start = line - 1
  const indent = indentOf(lines[start] ?? '')
  while (start >= 0 && !(isItem(lines[start] as string) && indentOf(lines[start] as string) <= indent))
    start -= 1
  if (start < 0) return ''
  const dash = indentOf(lines[start] as string)
  let end = start + 1
  while (end < lines.length && (lines[end]?.trim() === '' || indentOf(lines[end] as string) > dash)) end += 1
  return lines
    .slice(start, end)
    .map((text) => text.slice(dash))
    .join('\n')
    .trimEnd()
}

function isItem(line: string): boolean {
  return /^\s*-(?:\s|$)/.test(line)
}

function indentOf(line: string): number {
  return line.search(/\S|$/)
}
