import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { RunnerTestFile } from 'vitest'
import { experimental_getRunnerTask, type Reporter, type TestModule, type Vitest } from 'vitest/node'
import { drawCodeFrame } from '../../../src/code-frame.ts'
import { escapeControl } from '../../../src/escape-control.ts'
import { parseJson } from '../../../src/json.ts'
import { isSaidAtLoad, readProblems, type ResultWarning } from '../../../src/errors.ts'
import type { PackedStep } from '../../../src/report/unpack-step.ts'
import { readTextIfThere } from '../../../src/read-file.ts'
import { indexLines } from '../../../src/source.ts'
import type { SuiteMeta } from '../../contract/meta.ts'
import { findReporter, isTerse } from './find-reporter.ts'
import { isSuiteFile } from './read-module.ts'

/** Something the author should know although nothing failed, with the suite's file. */
type PlacedWarning = { path: string; line: number; column: number; message: string }

/** Warnings that a terminal shows; the others are counted. */
const mostShown = 10

/** Warnings of the suites of a test file: of loading it first, then those of its steps, each once. */
export function collectWarnings(file: RunnerTestFile): PlacedWarning[] {
  const found = new Map<string, PlacedWarning>()
  const suites = listSuites(file)
  const atLoad = suites.flatMap(({ warnings = [] }) => warnings)
  // What was known when the suite was loaded is not said once more by the step.
  const inSteps = suites.flatMap(readStepWarnings).filter((each) => !isSaidAtLoad(each, atLoad))
  for (const { message, line = 1, column = 1 } of [...atLoad, ...inSteps])
    found.set(`${line}:${column} ${message}`, { path: file.filepath, line, column, message })
  return [...found.values()].toSorted((a, b) => a.line - b.line || a.column - b.column)
}

type Task = RunnerTestFile['tasks'][number]

function listSuites({ tasks }: { tasks: Task[] }): SuiteMeta[] {
  return tasks.flatMap((task) => {
    if (task.type !== 'suite') return []
    const { suitecase: meta } = task.meta
    return [...(meta?.kind === 'suite' ? [meta] : []), ...listSuites(task)]
  })
}

function readStepWarnings({ steps }: SuiteMeta): ResultWarning[] {
  if (!steps?.includes('"warnings":[')) return []
  const packed = parseJson(steps) as unknown as PackedStep[][]
  return packed.flat().flatMap(({ warnings = [], line = 1 }) => warnings.map((each) => ({ line, ...each })))
}

/** A reporter that prints warnings when the tests have ended: the first ten with their lines, and how many there are. */
export function showWarnings(vitest: Vitest): Reporter {
  return {
    onTestRunEnd(modules) {
      const warnings = modules.flatMap((module) => collectWarnings(experimental_getRunnerTask(module)))
      if (warnings.length === 0) return
      const count = `${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`
      const shown = warnings.slice(0, mostShown).map((warning) => describe(vitest, warning))
      const more = warnings.length - shown.length
      if (more > 0) shown.push(`… and ${more} more, in the report.`)
      const gap = isTerse(vitest) ? '\n' : '\n\n'
      vitest.logger.warn(`\n${count}${gap}${shown.join(gap)}\n`)
    },
  }
}

function describe(vitest: Vitest, { path, line, column, message }: PlacedWarning): string {
  const { config, logger } = vitest
  const shown = path.startsWith(`${config.root}/`) ? path.slice(config.root.length + 1) : path
  const head = escapeControl(`${shown}:${line}:${column} warning: ${message}`)
  // A shard may be merged where the suites are not.
  const source = isTerse(vitest) ? undefined : readTextIfThere(path)
  if (source === undefined) return head
  // Secrets are hidden as in the lines that Vitest prints.
  const text = stripVTControlCharacters(logger.highlight(path, source))
  const offset = (indexLines(text)[line - 1] ?? 0) + column - 1
  return `${head}\n${drawCodeFrame(text, [offset, offset + measure(text.slice(offset))])}`
}

/** Characters that belong together from a place on: a `{{…}}`, or a word. */
function measure(text: string): number {
  return (/^\{\{[^\n}]*\}\}|^[\w$.-]+/.exec(text)?.[0] ?? ' ').length
}

type GithubOptions = { onWritePath?: (path: string) => string }

/**
 * Annotates warnings, and the mistakes of suite files that could not be loaded, each at its line, where Vitest's
 * `github-actions` reporter is in use: that one annotates only failures of files that were loaded.
 */
export function addAnnotations(vitest: Vitest): void {
  const github = findReporter(vitest, 'github-actions')
  if (!github) return
  const options = (Array.isArray(github) ? github[1] : undefined) as GithubOptions | undefined
  const { onWritePath = (path: string) => path } = options ?? {}
  const reporter: Reporter = {
    onTestRunEnd(modules) {
      for (const module of modules)
        for (const command of listCommands(module, onWritePath)) vitest.logger.log(`\n${command}`)
    },
  }
  ;(vitest.config.reporters as unknown[]).push(reporter)
}

function listCommands(module: TestModule, onWritePath: (path: string) => string): string[] {
  const { moduleId, project, relativeModuleId } = module
  const title = `[${project.name}] ${relativeModuleId}`
  const file = onWritePath(moduleId)
  const mistakes = isSuiteFile(moduleId)
    ? module.errors().flatMap(({ message }) => readProblems(message))
    : []
  const warnings = collectWarnings(experimental_getRunnerTask(module))
  return [
    ...mistakes.map(({ file: shown, line, column, text }) => {
      // It may be in a file that suites share.
      const path = onWritePath(resolve(project.vitest.config.root, shown))
      return printCommand('error', text, { file: path, title, line, column })
    }),
    ...warnings.map(({ line, column, message }) =>
      printCommand('warning', escapeControl(message), { file, title, line, column }),
    ),
  ]
}

/** A workflow command, escaped as GitHub's own toolkit does (actions/toolkit, `packages/core/src/command.ts`). */
function printCommand(
  command: 'error' | 'warning',
  message: string,
  properties: Record<string, string | number>,
): string {
  const listed = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  )
  return `::${command} ${listed.join(',')}::${escapeData(message)}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
