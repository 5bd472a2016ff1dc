import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { drawCodeFrame } from '../../../src/code-frame.ts'
import { isSaidAtLoad, type ResultWarning } from '../../../src/errors.ts'
import { escapeControl } from '../../../src/escape-control.ts'
import { readTextIfThere } from '../../../src/read-file.ts'
import { relativePath } from '../../../src/resolve-path.ts'
import { indexLines } from '../../../src/source.ts'
import { listMetas } from './read-test-module.ts'
import { isTerse, usesReporter } from './uses-reporter.ts'
import { countOf } from '../../../src/text/units.ts'

/** Something the author should know although nothing failed, with its suite file. */
type PlacedWarning = ResultWarning & { path: string }

const mostShown = 10

/** A reporter that prints warnings after the tests: the first ten, and how many more. */
export function showWarnings(vitest: Vitest, isReported: () => boolean): Reporter {
  return {
    onTestRunEnd(modules) {
      const warnings = modules.flatMap(collectWarnings)
      if (warnings.length === 0) return
      const shown = warnings.slice(0, mostShown).map((warning) => showWarning(vitest, warning))
      const more = warnings.length - shown.length
      const where = isReported() ? 'in the report' : 'in no report, because the option `report` is false'
      if (more > 0) shown.push(`… and ${more} more, ${where}.`)
      const gap = isTerse(vitest) ? '\n' : '\n\n'
      vitest.logger.warn(`\n${countOf(warnings.length, 'warning')}${gap}${shown.join(gap)}\n`)
      if (usesReporter(vitest, 'github-actions')) vitest.logger.log(warnings.map(annotate).join('\n'))
    },
  }
}

/** Warnings of the suites in a test file, each once: those of loading, then those of its steps. */
function collectWarnings(module: TestModule): PlacedWarning[] {
  const { moduleId: path } = module
  const suites = listMetas(module)
  const atLoad = suites.flatMap(({ warnings = [] }) => warnings)
  // A step does not repeat what was reported at load time.
  const inSteps = suites
    .flatMap(({ steps = [] }) => steps.flat().flatMap((step) => step.warnings ?? []))
    .filter((each) => !isSaidAtLoad(each, atLoad))
  const found = new Map<string, PlacedWarning>()
  for (const { message, line, column } of [...atLoad, ...inSteps])
    found.set(`${line}:${column} ${message}`, { path, line, column, message })
  return [...found.values()].toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function annotate({ path, line, column, message }: PlacedWarning): string {
  const file = path.replaceAll(/[%\r\n:,]/g, encodeURIComponent)
  return `::warning file=${file},line=${line},column=${column}::${escapeControl(message).replaceAll('%', '%25')}`
}

function showWarning(vitest: Vitest, { path, line, column, message }: PlacedWarning): string {
  const { logger, config } = vitest
  const place = `${relativePath(config.root, path)}:${line}:${column}`
  const head = escapeControl(`${place} warning: ${message}`)
  // The suite files may be missing where shards are merged.
  const source = isTerse(vitest) ? undefined : readTextIfThere(path)
  if (source === undefined) return head
  // Secrets are hidden as in the lines that Vitest prints.
  const text = stripVTControlCharacters(logger.highlight(path, source))
  const offset = (indexLines(text)[line - 1] ?? 0) + column - 1
  // Only the start of the place is known, so the template or word there is marked.
  const [marked] = /^\{\{[^\n}]*\}\}|^[\w$.-]+/.exec(text.slice(offset)) ?? [' ']
  return `${head}\n${drawCodeFrame(text, [offset, offset + marked.length])}`
}
