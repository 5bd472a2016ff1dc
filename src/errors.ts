import { escapeControl } from './escape-control.ts'
import type { Location, Place, Position } from './source.ts'

/** What kind of problem a suite file has; `docs/help/errors.md` says what each of them means. */
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

/** How much a problem matters: an error keeps the suite from running, a warning is shown. */
export type Severity = 'error' | 'warning'

/** One thing wrong with a suite file. */
export type Problem = {
  code: ProblemCode
  severity: Severity
  /** What is wrong, with the field as the author wrote it and the value it got. */
  message: string
  /** What to do about it. */
  hint?: string
  range: Place
}

/** A problem without its place; a `doubt` is about what may fail when it runs: an error, if the grammar is not lenient. */
export type ProblemText = {
  /** @default 'bad-value' */
  code?: ProblemCode
  message: string
  hint?: string
  /** @default 'error', of what is ignored 'warning' */
  severity?: Severity | 'doubt'
}

/** A problem with its place in words. */
export type LocatedProblem = Problem & { location: Location; frame: string }

/** The message of what something throws, if it does. */
export function messageOf(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Escape sequences of colours, which Vite puts into its errors of syntax. */
const colours = /\p{Cc}\[[\d;]*m/gu

/** The text of whatever was thrown: an error's message, anything else as text; never throws itself. */
export function readMessage(error: unknown): string {
  try {
    if (error instanceof Error) return (error.message || error.name).replaceAll(colours, '')
    return typeof error === 'object' && error !== null
      ? (JSON.stringify(error) ?? 'an object')
      : String(error)
  } catch {
    // A getter or `toString` of what was thrown threw in turn.
    return 'something that cannot be shown'
  }
}

/** More than these are counted, not printed: a message is for reading. */
const MAX_PRINTED = 50

/** Thrown when a suite file cannot be loaded; carries every problem of the file, the message prints the first 50. */
export class SuiteError extends Error {
  override name = 'SuiteError'
  readonly file: string
  readonly problems: readonly LocatedProblem[]
  /** Absolute paths of further files that were read, or are not there. */
  readonly files: readonly string[]

  constructor(file: string, problems: readonly LocatedProblem[], files: readonly string[] = []) {
    const printed = problems.slice(0, MAX_PRINTED).map(describeProblem)
    const rest = problems.length - printed.length
    super([...printed, ...(rest > 0 ? [`… and ${rest} more problems in this file.`] : [])].join('\n\n'))
    // Where the suite is wrong is in the message; where that was found is of no use to its author.
    this.stack = `${this.name}: ${this.message}`
    this.file = file
    this.problems = problems
    this.files = files
  }
}

/** Prints one problem: place, code, sentence, hint and code frame; control characters are shown escaped. */
export function describeProblem(problem: LocatedProblem): string {
  return `${stateProblem(problem)}\n${problem.frame}`
}

/** Place, code, sentence and hint of a problem, for where somebody else draws the code frame. */
export function stateProblem({ location, severity, code, message, hint }: LocatedProblem): string {
  const head = `${location.file}:${location.line}:${location.column} ${severity} ${code}: ${message}`
  return escapeControl(head) + (hint ? `\n  hint: ${escapeControl(hint)}` : '')
}

/** The errors in a `SuiteError`'s message, which is all that is left of one that comes from another process. */
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
export type ResultWarning = { message: string; line?: number; column?: number }

/** A warning at a place of the suite file. */
export function warnAt([line, column]: Position, message: string): ResultWarning {
  return { message, line, column }
}

/** True for what a step says of a variable without a value when loading its suite said so already. */
export function isSaidAtLoad({ message, line }: ResultWarning, atLoad: readonly ResultWarning[]): boolean {
  const name = /^`([^`]+)` has no value/.exec(message)?.[1]
  if (name === undefined) return false
  // Loading names a root and one name below it.
  const names = [name, name.split('.').slice(0, 2).join('.')].map((one) => `\`${one}\``)
  return atLoad.some((one) => line === one.line && names.some((said) => one.message.includes(said)))
}
