import { DiagnosticSeverity, type Diagnostic, type Location, type Position } from 'vscode-languageserver/node'
import type { LocatedProblem } from '../../src/errors.ts'
import { indexLines, positionAt, showPosition, type Place, type SourceFile } from '../../src/source.ts'
import type { PlacedName } from './read-names.ts'

export type Document = { uri: string; path: string; text: string; names: readonly PlacedName[] }

/** Turns a mistake into a diagnostic. A mistake in another file is shown where that file is named, or at the top. */
export function toDiagnostic(
  { range, file, at, severity, code, message, hint }: LocatedProblem,
  { path, text }: SourceFile,
): Diagnostic {
  const isHere = file === path
  const place = isHere ? '' : `${showPosition(file, at)}: `
  return {
    range: toRange(text, isHere || range[2] ? range : [0, 0]),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: 'suitecase',
    message: `${place}${message}${hint === undefined ? '' : `\n${hint}`}`,
  }
}

/** The name at a position, even if the cursor is in its members after the dot. */
export function findName({ text, names }: Document, position: Position): PlacedName | undefined {
  const offset = toOffset(text, position)
  return names.find(({ range: [start, end], members }) => {
    const below = members.length > 0 ? (/^(?:\.[\w-]+)+/.exec(text.slice(end))?.[0].length ?? 0) : 0
    return start <= offset && offset <= end + below
  })
}

export function toOffset(text: string, { line, character }: Position): number {
  return (indexLines(text)[line] ?? text.length) + character
}

/** Converts a range to the editor's lines and characters. */
export function toRange(text: string, [start, end]: Place): Location['range'] {
  const lines = indexLines(text)
  const [from, to] = [positionAt(lines, start), positionAt(lines, end)]
  return {
    start: { line: from[0] - 1, character: from[1] - 1 },
    end: { line: to[0] - 1, character: to[1] - 1 },
  }
}
