import { escapeControl } from './escape-control.ts'
import { measureText } from './text/measure-text.ts'
import { indexLines, positionAt, type LineIndex, type Range } from './source.ts'

const CONTEXT_LINES = 2
const MAX_WIDTH = 120

/** Draws the lines around a range, with carets under it. Control characters are escaped. */
export function drawCodeFrame(text: string, range: Range, lines: LineIndex = indexLines(text)): string {
  const [line, column] = positionAt(lines, range[0])
  const first = Math.max(1, line - CONTEXT_LINES)
  const last = Math.min(lines.length, line + CONTEXT_LINES)
  const gutter = String(last).length
  const drawn: string[] = []
  for (let number = first; number <= last; number++) {
    const end = (lines[number] ?? text.length + 1) - 1
    const source = text.slice(lines[number - 1], end).replace(/\r$/, '')
    if (number > line && source === '' && number === lines.length) break
    const { text: shown, start } = cutLine(source, number === line ? column : 1)
    const marker = number === line ? '>' : ' '
    drawn.push(`${marker} ${String(number).padStart(gutter)} | ${escapeControl(shown)}`.trimEnd())
    if (number !== line) continue
    const offset = Math.max(0, column - 1 - start)
    const before = measureText(escapeControl(shown.slice(0, offset)))
    const length = measureText(escapeControl(shown.slice(offset, offset + range[1] - range[0])))
    drawn.push(`  ${' '.repeat(gutter)} | ${' '.repeat(before)}${'^'.repeat(Math.max(1, length))}`)
  }
  return drawn.join('\n')
}

function cutLine(source: string, column: number): { text: string; start: number } {
  const start = Math.max(0, Math.min(column - 1 - MAX_WIDTH / 2, source.length - MAX_WIDTH))
  const end = start + MAX_WIDTH
  const text = `${start > 0 ? '…' : ''}${source.slice(start, end)}${end < source.length ? '…' : ''}`
  return { text, start: Math.max(0, start - 1) }
}
