import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startHttpServer } from '../../request/fixtures/http-server.ts'
import { runText } from '../fixtures/run-text.ts'

test('a schema file is read once in a run, and again in the next one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'suitecase-schemas-'))
  const write = (type: string): void => writeFileSync(join(folder, 's.json'), JSON.stringify({ type }))
  write('object')
  let answers = 0
  const server = await startHttpServer((_, response) => {
    if (++answers > 1) write('array')
    response.setHeader('content-type', 'application/json')
    response.end('{}')
  })
  try {
    const text = `suite_name: Test
base_url: '${server.url}'
steps:
  - { name: One, request: { url: / }, assert: { status_code: 200 } }
  - { name: Two, request: { url: / }, assert: { body: { schema: s.json } } }
  - { name: Burst, request: { url: / }, burst: { times: 3 }, assert: { body: { schema: s.json } } }
`
    const run = async (): Promise<unknown[]> =>
      Object.values((await runText(text, { folder })).outcomes).map(({ failures }) =>
        failures.map(({ message }) => message),
      )
    expect(await run()).toEqual([[], [], []])
    const failed = [expect.stringContaining('`body` must be array')]
    expect(await run()).toEqual([[], failed, failed])
  } finally {
    await server.close()
    rmSync(folder, { recursive: true })
  }
})
