import { escapeControl } from './escape-control.ts'
import { showPosition, type Place, type Position, type Written } from './source.ts'

/** The kinds of problem in a suite file. `docs/help/errors.md` explains each of them. */
export type ProblemCode =
  | 'yaml-syntax'
  | 'empty-file'
  | 'not-a-map'
  | 'duplicate-key'
  | 'bad-key'
  | 'several-documents'
  | 'unknown-tag'
  | 'unknown-alias'
  | 'unquoted-template'
  | 'bad-number'
  | 'too-large'
  | 'unknown-field'
  | 'missing-field'
  | 'bad-value'
  | 'bad-check'
  | 'bad-pattern'
  | 'bad-path'
  | 'bad-expression'
  | 'duplicate-node-id'
  | 'variable-cycle'
  | 'dependency-cycle'
  | 'unknown-reference'
  | 'unknown-variable'
  | 'unknown-export'
  | 'ignored'

/** An error keeps the suite from running; a warning is only shown. */
export type Severity = 'error' | 'warning'

/** One problem in a suite file. */
export type Problem = {
  code: ProblemCode
  severity: Severity
  /** What is wrong, with the field as the author wrote it and its value. */
  message: string
  /** What to do about it. */
  hint?: string
  range: Place
}

/** A problem without its place. A `doubt` (it may fail in a run) is an error, or a warning in lenient suites. */
export type ProblemText = {
  /** @default 'bad-value' */
  code?: ProblemCode
  message: string
  hint?: string
  /** @default 'error'; 'warning' for the code 'ignored' */
  severity?: Severity | 'doubt'
}

/** A problem with its file and position, the text that it is in, and a code frame of that. */
export type LocatedProblem = Problem & { file: string; at: Position; written: Written; frame: string }

/** The message of the error that a function throws; undefined if it throws nothing. */
export function messageOf(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** What a function returns; undefined if it throws. */
export function tryTo<Value>(run: () => Value): Value | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** ANSI colour sequences, which Vite puts into its syntax errors. */
const colours = /\p{Cc}\[[\d;]*m/gu

/** A message about a place in a suite file. */
export type PlacedMessage = { message: string; at: Position }

/** True for errors, even those from another realm, as Node's own errors are in Vitest's vm pools. */
export function isError(thrown: unknown): thrown is Error {
  return (
    thrown instanceof Error ||
    /^\[object (?:Error|DOMException)\]$/.test(Object.prototype.toString.call(thrown))
  )
}

/** The text of anything thrown: an error's message, any other value as text. Never throws. */
export function readMessage(error: unknown): string {
  try {
    if (isError(error)) return (error.message || error.name).replaceAll(colours, '')
    return typeof error === 'object' && error !== null
      ? (JSON.stringify(error) ?? 'an object')
      : String(error)
  } catch {
    // A getter or `toString` of the thrown value threw in turn.
    return 'something that cannot be shown'
  }
}

/** Problems beyond this number are counted but not printed. */
const MAX_PRINTED = 50

/** Thrown when a suite file cannot be loaded. Has all its problems, errors first; the message shows the first 50. */
export class SuiteError extends Error {
  override name = 'SuiteError'
  readonly file: string
  readonly problems: readonly LocatedProblem[]
  /** Absolute paths of the other files that loading read or found missing. */
  readonly files: readonly string[]

  constructor(file: string, found: readonly LocatedProblem[], files: readonly string[] = []) {
    // 'error' sorts before 'warning'; otherwise the order stays.
    const problems = found.toSorted((a, b) => a.severity.localeCompare(b.severity))
    const printed = problems.slice(0, MAX_PRINTED).map(describeProblem)
    const rest = problems.length - printed.length
    super([...printed, ...(rest > 0 ? [`… and ${rest} more problems in this file.`] : [])].join('\n\n'))
    // The message says where the suite is wrong; a JavaScript stack is of no use to its author.
    this.stack = `${this.name}: ${this.message}`
    this.file = file
    this.problems = problems
    this.files = files
  }
}

/** Formats a problem: place, code, message, hint and code frame. Control characters are shown escaped. */
export function describeProblem(problem: LocatedProblem): string {
  return `${stateProblem(problem)}\n${problem.frame}`
}

/** Like `describeProblem` without the code frame, for readers that draw their own. */
export function stateProblem({ file, at, severity, code, message, hint }: LocatedProblem): string {
  const head = `${showPosition(file, at)} ${severity} ${code}: ${message}`
  return escapeControl(head) + (hint ? `\n  hint: ${escapeControl(hint)}` : '')
}

/** Extracts the errors from the message of a `SuiteError`: from another process, only the message arrives. */
export function readProblems(
  message: string,
): { file: string; line: number; column: number; text: string }[] {
  return message.split('\n\n').flatMap((block) => {
    const [head = '', hint = ''] = block.split('\n')
    const [, file, line, column] = /^(\S.*?):(\d+):(\d+) error [a-z-]+: /.exec(head) ?? []
    if (file === undefined) return []
    const text = hint.startsWith('  hint: ') ? `${head}\n${hint}` : head
    return [{ file, line: Number(line), column: Number(column), text }]
  })
}

/** Something the author should know that did not fail the step. */
export type ResultWarning = { message: string; line: number; column: number }

/** A warning at a position in the suite file. */
export function warnAt([line, column]: Position, message: string): ResultWarning {
  return { message, line, column }
}

/** True if a step warns that something has no value, and loading has already warned of it, or of a name in it, on the same line. */
export function isSaidAtLoad({ message, line }: ResultWarning, atLoad: readonly ResultWarning[]): boolean {
  const [, source = ''] = /^`([^`]+)` has no value/.exec(message) ?? []
  // Warnings at load time name the root and at most one name below it.
  const names = source.replaceAll('variables.', '').match(/[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)?/gu) ?? []
  return names.some((name) => atLoad.some((one) => one.line === line && one.message.includes(`\`${name}\``)))
}
