import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LocatedProblem, Problem, ProblemText } from '../errors.ts'
import type { Check } from '../assertion/check.ts'
import type { JsonObject } from '../json.ts'
import { indexLines, positionAt, showWritten } from '../source.ts'
import type { LineIndex, Place, Position, SourceFile } from '../source.ts'
import { DEFAULT_FILE_SIZE, type YamlReading } from './yaml/read-yaml.ts'
import type { Placed } from './shared/placed.ts'
import { findNode, type SourceNode, type ValuePath } from './source-tree.ts'

/** What loading needs to know beside the file. */
export type LoadOptions = {
  /** Absolute folder of the file; the files it names are relative to it. */
  folder: string
  /** Names of the plugin's `variables`, always there. */
  variables?: readonly string[]
  /** The suite is written for flow-test-engine. */
  compat?: boolean
  /** What is known to have no value when it is read is an error. */
  isStrict?: boolean
  /** Bytes of the file, and of each that it names. @default 10 MB */
  fileSize?: number | undefined
  /** What all suites have said once for their steps. */
  defaults?: JsonObject | undefined
  /** Absolute path of the file of the chosen environment. */
  environment?: string | undefined
  /** Whether requests without an address go to an application in this process; not looked at when that is not known. */
  hasApp?: boolean
  /** Reads the names of the environments from the disk; none if one is chosen. */
  listEnvironments?: () => readonly string[]
  /** Absolute path of the module with functions and operators of the user's own. */
  extension?: string | undefined
}

/** State of one load: where things are, and what was found wrong. */
export type LoadContext = {
  source: SourceFile
  lines: LineIndex
  tree: SourceNode
  options: LoadOptions
  /** What is refused here is left out, and what may fail when it runs is no error: both are warnings. */
  isLenient: boolean
  problems: Problem[]
  /** Errors in files that the suite shares with others. */
  elsewhere: LocatedProblem[]
  /** Absolute paths of further files that were read. */
  files: string[]
  /** The `assert` of all `defaults`, the farthest first, and their checks. */
  defaultAsserts: Placed[]
  defaultChecks?: readonly Check[]
  /** Pointers of the steps whose credentials are the defaults. */
  defaultAuth: Set<string>
  /** The ranges of the values that have been located. */
  places: WeakMap<Position, Place>
  /** Position of the value at a path, or of the nearest one above it. */
  locate(path: ValuePath): Position
  /** Position of a range, which is kept with it. */
  locateRange(range: Place): Position
  /** Adds a problem at a value; nothing for a value that could not even be read. */
  report(path: ValuePath, problem: ProblemText): void
  /** Adds a problem at the key of a value. */
  reportKey(path: ValuePath, problem: ProblemText): void
  /** Adds a problem at a place in the text. */
  reportAt(range: Place, problem: ProblemText): void
  /** Reports a file the suite names that is not there; it is read when the step runs. */
  checkFile(name: string, path: ValuePath): void
  /** Reads a file the suite names; reports and returns undefined when that fails. */
  readFile(name: string, path: ValuePath): string | undefined
}

/** Starts the state of one load. */
export function createContext(input: {
  source: SourceFile
  reading: YamlReading
  options: LoadOptions
}): LoadContext {
  const { source, reading, options } = input
  const lines = indexLines(source.text)
  const context: LoadContext = {
    source,
    lines,
    tree: reading.tree,
    options,
    isLenient: options.compat === true,
    problems: [...reading.problems],
    elsewhere: [],
    files: options.extension === undefined ? [] : [options.extension],
    defaultAsserts: [],
    defaultAuth: new Set(),
    places: new WeakMap(),
    locate: (path) => context.locateRange(findNode(context.tree, path).range),
    locateRange(range) {
      const [line, column] = positionAt(lines, range[0])
      const position: Position = range[2] ? [line, column, showWritten(range[2])] : [line, column]
      context.places.set(position, range)
      return position
    },
    report(path, problem) {
      const { broken, range } = findNode(context.tree, path)
      if (!broken) context.reportAt(range, problem)
    },
    reportKey(path, problem) {
      const { broken, range, key = range } = findNode(context.tree, path)
      if (!broken) context.reportAt(key, problem)
    },
    reportAt(range, { code = 'bad-value', severity = code === 'ignored' ? 'warning' : 'error', ...problem }) {
      const told = severity !== 'doubt' ? severity : context.isLenient ? 'warning' : 'error'
      context.problems.push({ ...problem, code, severity: told, range })
    },
    checkFile: (name, path) => void openFile(context, { name, path, isLater: true }),
    readFile: (name, path) => openFile(context, { name, path }),
  }
  return context
}

type NamedFile = { name: string; path: ValuePath; isLater?: boolean }

/** Finds a file the suite names, and reads it unless it `isLater`; reports and returns undefined when that fails. A pipe would never end, a device neither. */
function openFile(context: LoadContext, { name, path, isLater = false }: NamedFile): string | undefined {
  const { folder, fileSize = DEFAULT_FILE_SIZE } = context.options
  const file = resolve(folder, name)
  context.files.push(file)
  const report = (message: string, hint: string): undefined => {
    context.report(path, { code: 'unknown-reference', message: `The file \`${name}\` ${message}.`, hint })
    return undefined
  }
  try {
    const stats = statSync(file)
    if (!stats.isFile()) return report('is not a regular file', 'Name a file.')
    if (isLater) return ''
    if (stats.size <= fileSize) return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
    return report(`has ${stats.size} bytes; the limit is ${fileSize}`, 'Raise the `limits.fileSize` option.')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM')
      return report(`cannot be read (${code})`, 'Let this user read it.')
    return report('does not exist', 'File names are relative to the suite file.')
  }
}
