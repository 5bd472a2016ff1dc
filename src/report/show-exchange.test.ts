import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type EchoServer } from '../../server/index.ts'
import { runText } from '../run/fixtures/run-text.ts'
import { createRedactor } from '../secrets/redactor.ts'
import { searchFor } from '../secrets/secret-search.ts'
import { showCommand, showExchange } from './show-exchange.ts'

let echo: EchoServer
beforeAll(async () => void (echo = await startServer()))
afterAll(() => echo.close())

test('a dialogue shows the messages of both sides, secrets hidden', async () => {
  const { outcomes } = await runText(`suite_name: S
base_url: '${echo.url}'
steps:
  - name: Talk
    websocket:
      url: /websocket/echo
      exchange: [{ send: { ask: state, password: hunter-22 } }, { expect: { ask: answer } }]
`)
  const { Talk } = outcomes
  expect(Talk && showExchange(Talk, createRedactor())?.split('\n')).toEqual([
    `GET ${echo.url.replace('http', 'ws')}/websocket/echo → 101 Switching Protocols`,
    '  → {"ask":"state","password":"[redacted]"}',
    '  ← {"ask":"state","password":"[redacted]"}',
  ])
})

test('of many attempts the first ten are listed and the rest counted, unless that is a single one', async () => {
  const { outcomes } = await runText(`suite_name: S
base_url: '${echo.url}'
steps:
  - name: Eleven
    request: { url: /status/503 }
    assert: { status_code: 200 }
    retry: { max_attempts: 11, base_delay_ms: 1 }
  - name: Twelve
    request: { url: /status/503 }
    assert: { status_code: 200 }
    retry: { max_attempts: 12, base_delay_ms: 1 }
`)
  const { Eleven, Twelve } = outcomes
  const show = (outcome: typeof Eleven) => outcome && showExchange(outcome, createRedactor())?.split('\n')
  expect(show(Eleven)?.slice(-2, -1)).toEqual(['  attempt 11: 503'])
  expect(show(Twelve)?.slice(-3)).toEqual([
    '  attempt 10: 503',
    '  … 2 more attempts',
    '→ 503 Service Unavailable, text/html; charset=utf-8',
  ])
})

test('redirects that were followed are listed, their secrets hidden', async () => {
  const { outcomes } = await runText(`suite_name: S
base_url: '${echo.url}'
steps:
  - { name: Login, request: { url: '/redirect-to?url=/status/200%3Ftoken=hunter-22' } }
`)
  const { Login } = outcomes
  expect(Login && showExchange(Login, createRedactor())?.split('\n').slice(1)).toEqual([
    '  redirected (302) to /status/200?token=[redacted]',
    '→ 200 OK, text/html; charset=utf-8',
  ])
})

test('a long answer of a step with `debug` is cut with a note, and a secret across the cut stays hidden', async () => {
  const { outcomes } = await runText(`suite_name: S
base_url: '${echo.url}'
steps:
  - name: Long
    request: { method: POST, url: /anything, body: '${'x'.repeat(65_532)}hunter-22${'y'.repeat(100)}' }
`)
  const { Long } = outcomes
  const redactor = createRedactor({ search: searchFor(['hunter-22']) })
  const [sent] = (Long && showExchange(Long, redactor, { isWhole: true }))?.match(/^ {2}x+.*$/m) ?? []
  expect(sent).toMatch(/x\[red… \[cut: 64 KiB of 64\.1 KiB shown\]$/)
})

test('a command with a long body is no flood: it reads the file, or says where to find it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'suitecase-show-'))
  await writeFile(join(folder, 'photo.jpg'), Buffer.alloc(5000, 0xff))
  const { outcomes } = await runText(
    `suite_name: S
base_url: '${echo.url}'
steps:
  - { name: Text, request: { method: POST, url: /post, body: ${'x'.repeat(4000)} } }
  - { name: Long, request: { method: POST, url: /post, body: ${'x'.repeat(9000)} } }
  - { name: File, request: { method: POST, url: /post, file: photo.jpg } }
  - { name: Parts, request: { method: POST, url: /post, multipart: { photo: { file: photo.jpg } } } }
`,
    { folder },
  )
  await rm(folder, { recursive: true })
  const show = (name: string) => outcomes[name] && showCommand(outcomes[name], createRedactor())
  expect(show('Text')).toMatch(/ --data-raw 'x{4000}'$/)
  const rest = 'long; the result file has it as `curl_command`, within `limits.reportBody`'
  expect(show('Long')).toBe(`# left out: the command is 8.8 KiB ${rest}`)
  expect(show('File')).toMatch(/ --data-binary '@.*photo\.jpg'$/)
  expect(show('Parts')).toMatch(new RegExp(`^# left out: the command is 5.* ${rest}$`))
})
