import { DiagnosticSeverity, type Diagnostic, type Location, type Position } from 'vscode-languageserver/node'
import type { LocatedProblem } from '../../src/errors.ts'
import { indexLines, positionAt, type Range } from '../../src/source.ts'
import type { PlacedName, SuiteNames } from './read-names.ts'

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
}

/** A document that an editor has open. */
export type Document = { path: string; text: string; names?: SuiteNames }

/** A mistake as editors show it. */
export function describe({ range, severity, code, message, hint }: LocatedProblem, text: string): Diagnostic {
  return {
    range: toRange(text, range),
    severity: SEVERITIES[severity],
    code,
    source: 'suitecase',
    message: hint === undefined ? message : `${message}\n${hint}`,
  }
}

/** The name at a place, also where the cursor is behind its dot. */
export function findName({ text, names }: Document, position: Position): PlacedName | undefined {
  const offset = toOffset(text, position)
  return [...(names?.declared ?? []), ...(names?.read ?? [])].find(({ range: [start, end], members }) => {
    const below = members.length > 0 ? (/^(?:\.[\w-]+)+/.exec(text.slice(end))?.[0].length ?? 0) : 0
    return start <= offset && offset <= end + below
  })
}

/** A position as an offset. */
export function toOffset(text: string, { line, character }: Position): number {
  return (indexLines(text)[line] ?? text.length) + character
}

/** A range as editors count. */
export function toRange(text: string, range: Range): Location['range'] {
  const lines = indexLines(text)
  const [start, end] = range.map((offset) => {
    const [line, column] = positionAt(lines, offset)
    return { line: line - 1, character: column - 1 }
  }) as [Position, Position]
  return { start, end }
}
