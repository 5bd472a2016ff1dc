/**
 * Cuts the text of one step out of its suite: the list item around the given 1-based line, its indentation taken off, and
 * the number of its first line. Undefined when the line is in no list item (flow style, generated suites).
 */
export function sliceYaml(suite: string, line: number): { text: string; line: number } | undefined {
  const lines = suite.split('\n')
  let start = line - 1
  const indent = indentOf(lines[start] ?? '')
  while (start >= 0 && !(isItem(lines[start] as string) && indentOf(lines[start] as string) <= indent))
    start -= 1
  if (start < 0) return undefined
  const dash = indentOf(lines[start] as string)
  let end = start + 1
  while (end < lines.length && (lines[end]?.trim() === '' || indentOf(lines[end] as string) > dash)) end += 1
  const text = lines.slice(start, end).map((each) => each.slice(dash))
  return { text: text.join('\n').trimEnd(), line: start + 1 }
}

function isItem(line: string): boolean {
  return /^\s*-(?:\s|$)/.test(line)
}

function indentOf(line: string): number {
  return line.search(/\S|$/)
}
