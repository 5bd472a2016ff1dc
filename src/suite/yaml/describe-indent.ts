import { indexLines, positionAt, type Range } from '../../source.ts'

/** A line that is not indented like its neighbours, in words. */
type IndentProblem = { message: string; hint: string; range: Range }

type Line = { number: number; start: number; dash: number; indent: number; key: string | undefined }

/** Says which of two lines is deeper than which, when that is what a syntax error at an offset comes from. */
export function describeIndent(text: string, offset: number): IndentProblem | undefined {
  const lines = indexLines(text)
  const [number] = positionAt(lines, offset)
  const line = readLine(text, lines, number)
  if (!line) return undefined
  /** The nearest line that is neither empty nor a comment, and of which a test is true. */
  const find = (from: number, by: 1 | -1, test: (line: Line) => boolean = () => true): Line | undefined => {
    for (let at = from, near = readLine(text, lines, at); near; near = readLine(text, lines, (at += by)))
      if (near.key !== undefined && test(near)) return near
    return undefined
  }
  const next = find(number + 1, 1)
  // The library reports the value above, to which it takes the deeper line to belong.
  if (
    hasValue(text, line) &&
    next?.key !== undefined &&
    next.dash === next.indent &&
    next.indent > line.indent
  )
    return compare(next, line, ' and has a value already')
  const parent = find(number - 1, -1, (above) => above.dash < line.dash)
  if (!parent || line.key === undefined) return undefined
  const neighbour = parent.indent > line.dash ? parent : find(parent.number + 1, 1)
  return neighbour && neighbour.number < number && neighbour.indent !== line.indent
    ? compare(line, neighbour, '')
    : undefined
}

function compare(line: Line, other: Line, more: string): IndentProblem {
  const relation = line.indent > other.indent ? 'deeper' : 'less deep'
  return {
    message: `\`${line.key}\` starts in column ${line.indent + 1}, ${relation} than \`${other.key ?? '-'}\` on line ${other.number}, which starts in column ${other.indent + 1}${more}.`,
    hint: 'Indent the keys of one map alike.',
    range: [line.start + line.indent, line.start + line.indent + (line.key?.length ?? 1)],
  }
}

function hasValue(text: string, { key, start, indent }: Line): boolean {
  return (
    key !== undefined && /^[^\n]*?:[ \t]+[^\s#|>&!]/.test(text.slice(start + indent, start + indent + 500))
  )
}

function readLine(text: string, lines: readonly number[], number: number): Line | undefined {
  const start = lines[number - 1]
  if (start === undefined) return undefined
  const source = text.slice(start, lines[number] ?? text.length)
  const [, blanks = '', dashes = '', key] =
    /^([ ]*)((?:-[ ]+)*)(?:([\w$.-]+|"[^"\n]*"|'[^'\n]*')[ ]*:(?=\s|$))?/.exec(source) ?? []
  return {
    number,
    start,
    dash: blanks.length,
    indent: blanks.length + dashes.length,
    key: source.trim() === '' || source.trim().startsWith('#') ? undefined : key,
  }
}
