import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Problem, ProblemCode, Severity } from '../errors.ts'
import { indexLines, positionAt, type LineIndex, type Position, type SourceFile } from '../source.ts'
import type { LoadLimits, YamlReading } from './read-yaml.ts'
import { findNode, type SourceNode, type ValuePath } from './source-tree.ts'

/** What loading needs to know beside the file. */
export type LoadOptions = {
  /** Absolute folder of the file; the files it names are relative to it. */
  folder: string
  /** Names of the plugin's `variables`, always there. */
  variables?: readonly string[]
  /** Accept suites written for another engine; unknown things become warnings. */
  compat?: boolean
  limits?: LoadLimits
}

/** State of one load: where things stand, and what was found wrong. */
export type LoadContext = {
  source: SourceFile
  lines: LineIndex
  tree: SourceNode
  options: LoadOptions
  problems: Problem[]
  /** Absolute paths of further files that were read. */
  files: string[]
  /** Position of the value at a path, or of the nearest one above it. */
  locate(path: ValuePath): Position
  report(path: ValuePath, problem: ProblemText): void
  /** Reads a file the suite names; reports and returns undefined when that fails. */
  readFile(name: string, path: ValuePath): string | undefined
}

/** A problem without its place. */
export type ProblemText = { code: ProblemCode; message: string; hint?: string; severity?: Severity }

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
    problems: [...reading.problems],
    files: [],
    locate: (path) => positionAt(lines, findNode(reading.tree, path).range[0]),
    report: (path, problem) =>
      context.problems.push({ severity: 'error', ...problem, range: findNode(reading.tree, path).range }),
    readFile: (name, path) => readNamedFile(context, { name, path }),
  }
  return context
}

function readNamedFile(context: LoadContext, file: { name: string; path: ValuePath }): string | undefined {
  const path = resolve(context.options.folder, file.name)
  context.files.push(path)
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    context.report(file.path, {
      code: 'unknown-reference',
      message: `The file \`${file.name}\` cannot be read (${reason}).`,
      hint: 'File names are relative to the suite file.',
    })
    return undefined
  }
}
