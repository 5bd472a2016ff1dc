import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync, statSync } from 'node:fs'
import type { LocatedProblem, Problem, ProblemText } from '../errors.ts'
import type { Check } from '../assertion/check.ts'
import type { JsonObject, ValuePath } from '../json.ts'
import { resolvePath } from '../resolve-path.ts'
import { indexLines, positionAt, showWritten } from '../source.ts'
import type { LineIndex, Place, Position, SourceFile } from '../source.ts'
import type { YamlReading } from './yaml/read-yaml.ts'
import type { Placed } from './shared/placed.ts'
import { findNode, type SourceNode } from './source-tree.ts'
import { defaultLimits } from '../limits.ts'

/** Options for loading, besides the file. */
export type LoadOptions = {
  /** Absolute folder of the file; file names in it are relative to that. */
  folder: string
  /** Names of the plugin's `variables` that hold plain values, which always exist. */
  variables?: readonly string[]
  /** The plugin's `variables` that hold templates. They become variables of all suites. */
  templates?: JsonObject | undefined
  /** True if the suite is written for flow-test-engine. */
  compat?: boolean
  /** Whether reading something that is known to have no value is an error and not a warning. */
  isStrict?: boolean
  /** Maximum bytes of the file, and of each file it names. */
  fileSize?: number
  /** The plugin's `defaults` for the steps of all suites. */
  defaults?: JsonObject | undefined
  /** Absolute path of the chosen environment's file. */
  environment?: string | undefined
  /** Whether there is an application in this process, so that `app_url` has a value. @default true */
  hasApp?: boolean
  /** Absolute path of the module with the user's own functions and operators. */
  extension?: string | undefined
}

/** The state of one load: positions, and the problems found. */
export class LoadContext {
  readonly source: SourceFile
  readonly lines: LineIndex
  readonly options: LoadOptions & { fileSize: number }
  tree: SourceNode
  /** Whether invalid parts are left out and doubtful ones accepted, both with a warning. */
  readonly isLenient: boolean
  readonly problems: Problem[]
  /** Errors in files that the suite shares with others. */
  readonly elsewhere: LocatedProblem[] = []
  /** Absolute paths of other files that the suite uses. */
  readonly files: string[]
  /** The `assert` of all `defaults`, farthest first; their checks are in `defaultChecks` once parsed. */
  defaultAsserts: Placed[] = []
  defaultChecks?: readonly Check[]
  /** JSON pointers to the steps that get their credentials from the defaults. */
  readonly defaultAuth = new Set<string>()
  /** The range that each position was made from. */
  readonly places = new WeakMap<Position, Place>()

  constructor(reading: YamlReading, source: SourceFile, options: LoadOptions) {
    this.source = source
    this.lines = indexLines(source.text)
    this.options = { fileSize: defaultLimits.fileSize, ...options }
    this.tree = reading.tree
    this.isLenient = options.compat === true
    this.problems = [...reading.problems]
    this.files = options.extension === undefined ? [] : [options.extension]
  }

  /** Position of the value at a path, or of the nearest existing one above it. */
  locate(path: ValuePath): Position {
    return this.locateRange(findNode(this.tree, path).range)
  }

  locateRange(range: Place): Position {
    const [line, column] = positionAt(this.lines, range[0])
    const position: Position = range[2] ? [line, column, showWritten(range[2])] : [line, column]
    this.places.set(position, range)
    return position
  }

  /** Adds a problem at a value, unless the value was unreadable. */
  report(path: ValuePath, problem: ProblemText): void {
    const { broken, range } = findNode(this.tree, path)
    if (!broken) this.reportAt(range, problem)
  }

  /** Adds a problem at the key of a value, unless the value was unreadable. */
  reportKey(path: ValuePath, problem: ProblemText): void {
    const { broken, range, key = range } = findNode(this.tree, path)
    if (!broken) this.reportAt(key, problem)
  }

  reportAt(
    range: Place,
    { code = 'bad-value', severity = code === 'ignored' ? 'warning' : 'error', ...problem }: ProblemText,
  ): void {
    const told = severity !== 'doubt' ? severity : this.isLenient ? 'warning' : 'error'
    this.problems.push({ ...problem, code, severity: told, range })
  }

  hasFile(name: string): boolean {
    const file = resolvePath(this.options.folder, name)
    this.files.push(file)
    return existsSync(file)
  }

  /** Reads a regular file as UTF-8 or, with `any`, as latin-1; with `later`, only looks whether it is there. If that fails, reports it and returns undefined. */
  readFile(name: string, path: ValuePath, reading: 'utf8' | 'any' | 'later' = 'utf8'): string | undefined {
    const { folder, fileSize } = this.options
    const file = resolvePath(folder, name)
    this.files.push(file)
    const report = (message: string, hint: string): undefined => {
      this.report(path, { code: 'unknown-reference', message: `The file \`${name}\` ${message}.`, hint })
      return undefined
    }
    try {
      const stats = statSync(file)
      if (!stats.isFile()) return report('is not a regular file', 'Name a file.')
      if (reading === 'later') return ''
      if (stats.size > fileSize)
        return report(
          `has ${stats.size} bytes; the limit is ${fileSize}`,
          'Raise the `limits.fileSize` option.',
        )
      const bytes = readFileSync(file)
      if (reading === 'any') return bytes.toString('latin1')
      if (!isUtf8(bytes)) return report('is not UTF-8', 'Save it as UTF-8.')
      return bytes.toString('utf8').replace(/^\uFEFF/, '')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const what = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
      return report(what, 'File names are relative to the suite file.')
    }
  }
}

/** A path in a suite that is being loaded. */
export type ContextPlace = { context: LoadContext; path: ValuePath }

/** The place of what is below, by its keys. */
export function placeInside({ context, path }: ContextPlace, ...below: ValuePath): ContextPlace {
  return { context, path: [...path, ...below] }
}
