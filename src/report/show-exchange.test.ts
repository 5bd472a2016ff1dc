import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type EchoServer } from '../../server/index.ts'
import { runText } from '../run/fixtures/run-text.ts'
import { createRedactor } from '../secrets/redactor.ts'
import { showExchange } from './show-exchange.ts'

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

test('of many attempts the first ten are listed, and the rest counted', async () => {
  const { outcomes } = await runText(`suite_name: S
base_url: '${echo.url}'
steps:
  - name: Fails
    request: { url: /status/503 }
    assert: { status_code: 200 }
    retry: { max_attempts: 11, base_delay_ms: 1 }
`)
  const { Fails } = outcomes
  expect(Fails && showExchange(Fails, createRedactor())?.split('\n').slice(-3)).toEqual([
    '  attempt 10: 503',
    '  … 1 more attempt',
    '→ 503 Service Unavailable, text/html; charset=utf-8',
  ])
})
