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

/** Hides secrets in the lines that Vitest prints around a failed check. Draws the frames of suites itself, since Vitest would cut or leave out long lines. */
export function drawFrames(
  vitest: Vitest,
  redact: ResolvedOptions['redact'],
  owns: (path: string) => boolean,
): void {
  const { logger } = vitest
  const highlight = logger.highlight.bind(logger)
  const printError = logger.printError.bind(logger)
  const search = createSecretSearch()
  logger.highlight = (path, source) => highlight(path, hide(source, owns(path)))
  // Vitest names files by their place in their project.
  logger.printError = (error, options) =>
    printError(addFrame(error, (options?.project ?? vitest).config.root), options)

  /** In files that are no suites, names tell nothing. */
  function hide(source: string, isSuite: boolean): string {
    if (redact === false) return source
    for (const [secret, name] of secretsOf(vitest).search.known) search.add(secret, name)
    const redactor = createSuiteRedactor({ redact: isSuite ? readOwnNames(source) : [] }, redact, search)
    if (isSuite) redactor.learnSource(source)
    const redactLine = isSuite ? redactor.redactSource : redactor.redactText
    return source
      .split('\n')
      .map((line) => starOut(line, redactLine(line)))
      .join('\n')
  }

  function addFrame(error: unknown, root: string): unknown {
    const { stacks, frame: own } = (error ?? {}) as Pick<TestError, 'stacks'> & { frame?: string }
    const { file, line = 1, column = 1 } = stacks?.[0] ?? {}
    const text = file !== undefined && owns(file) && own === undefined ? readTextIfThere(file) : undefined
    if (file === undefined || text === undefined) return error
    const source = hide(text, true)
    const offset = (indexLines(source)[line - 1] ?? 0) + column - 1
    // With the margin of the frames that Vitest draws.
    const drawn = drawCodeFrame(source, [offset, offset + 1])
    const frame = drawn.replace(/^[> ] ( *\d*) \|/gm, (_, line) => `${line.padStart(7)}|`)
    return {
      ...(error as object),
      frame: ` ❯ ${relativePath(root, file)}:${line}:${column}\n${frame}\n`,
    }
  }
}
