import type { TestError } from 'vitest'
import type { Vitest } from 'vitest/node'
import { drawCodeFrame } from '../../../src/code-frame.ts'
import { readTextIfThere } from '../../../src/read-file.ts'
import { indexLines } from '../../../src/source.ts'
import { starOut } from '../../../src/secrets/star-out.ts'
import { readOwnNames } from '../../../src/secrets/secret-names.ts'
import { createSecretSearch } from '../../../src/secrets/secret-search.ts'
import { createSuiteRedactor } from '../../../src/secrets/suite-redactor.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import { secretsOf } from './run-secrets.ts'
import { relativePath } from '../../../src/resolve-path.ts'

/** Hides secrets in the lines that Vitest prints around a failed check, by replacing `logger.highlight`. In files that are no suites, names tell nothing. */
export function hideInFrames(
  vitest: Vitest,
  redact: ResolvedOptions['redact'],
  owns: (path: string) => boolean,
): void {
  if (redact === false) return
  const { logger } = vitest
  const highlight = logger.highlight.bind(logger)
  const search = createSecretSearch()
  logger.highlight = (path, source) => {
    const isSuite = owns(path)
    for (const secret of secretsOf(vitest).search.known.values()) search.add(...secret)
    const redactor = createSuiteRedactor({ redact: isSuite ? readOwnNames(source) : [] }, redact, search)
    if (isSuite) redactor.learnSource(source)
    const hide = isSuite ? redactor.redactSource : redactor.redactText
    const shown = source
      .split('\n')
      .map((line) => starOut(line, hide(line)))
      .join('\n')
    return isSuite ? shown : highlight(path, shown)
  }
}

/** Draws the code frame of a failed check where Vitest would cut or leave out long lines, or not hide secrets. */
export function drawLongFrames(vitest: Vitest, owns: (path: string) => boolean): void {
  const { logger } = vitest
  const printError = logger.printError.bind(logger)
  // Vitest names files by their place in their project.
  logger.printError = (error, options) =>
    printError(addFrame(error, (options?.project ?? vitest).config.root), options)

  function addFrame(error: unknown, root: string): unknown {
    const { stacks, frame: own } = (error ?? {}) as Pick<TestError, 'stacks'> & { frame?: string }
    const { file, line = 1, column = 1 } = stacks?.[0] ?? {}
    const text = file !== undefined && owns(file) && own === undefined ? readTextIfThere(file) : undefined
    if (file === undefined || text === undefined) return error
    const lines = text.split('\n')
    const around = lines.slice(Math.max(0, line - 3), line + 2)
    const isShort = around.every(({ length }) => length <= (process.stdout.columns || 80) - 10)
    if (isShort && text.length <= 100_000) return error
    const source = logger.highlight(file, text)
    const offset = (indexLines(source)[line - 1] ?? 0) + column - 1
    // With the margin of the frames that Vitest draws, which are beside it.
    const frame = drawCodeFrame(source, [offset, offset + 1]).replace(
      /^[> ] ( *\d*) \|/gm,
      (_, line) => `${line.padStart(7)}|`,
    )
    const shown = relativePath(root, file)
    return { ...(error as object), frame: ` ❯ ${shown}:${line}:${column}\n${frame}\n` }
  }
}
