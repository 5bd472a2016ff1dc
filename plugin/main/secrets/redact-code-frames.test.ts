import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Vitest } from 'vitest/node'

test('a frame of long lines names its file with `/`, as Vitest does, on Windows too', async () => {
  const root = mkdtempSync(join(tmpdir(), 'frames-'))
  const file = join(root, 'tests/a.suite.yaml')
  mkdirSync(join(root, 'tests'))
  writeFileSync(file, `# ${'-'.repeat(300)}\n`)
  vi.resetModules()
  vi.doMock('node:path', async () => (await vi.importActual<typeof import('node:path')>('node:path')).win32)
  const { drawLongFrames } = await import('./redact-code-frames.ts')
  vi.doUnmock('node:path')
  vi.resetModules()
  const printed: unknown[] = []
  const logger = {
    printError: (...[error]: [error: unknown, options?: object]): void => void printed.push(error),
    highlight: (_: string, text: string): string => text,
  }
  drawLongFrames({ logger, config: { root } } as unknown as Vitest, () => true)
  const error = { stacks: [{ file, line: 1, column: 3 }] }
  logger.printError(error)
  logger.printError(error, { project: { config: { root: join(root, 'tests') } } })
  rmSync(root, { recursive: true })
  expect(printed).toEqual([
    { ...error, frame: expect.stringMatching(/^ ❯ tests\/a\.suite\.yaml:1:3\n/) },
    { ...error, frame: expect.stringMatching(/^ ❯ a\.suite\.yaml:1:3\n/) },
  ])
})
