import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type EchoServer } from '../../server/index.ts'
import { runText } from './fixtures/run-text.ts'

let echo: EchoServer
beforeAll(async () => void (echo = await startServer()))
afterAll(() => echo.close())

const suite = (steps: string): string => `suite_name: Test\nbase_url: '${echo.url}'\nsteps:\n${steps}`

const failuresOf = ({ failures }: { failures: { message: string }[] } = { failures: [] }): string[] =>
  failures.map(({ message }) => message)

test('an answer cannot choose a file outside the folder of the suite', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Capture
    request: { method: POST, url: /post, body: { file: /etc/hostname, up: ../../run/attempt.ts, near: run-text.ts } }
    capture: { file: body.json.file, up: body.json.up, near: body.json.near }
  - name: Absolute
    request: { method: POST, url: /post, file: '{{file}}' }
  - name: Upward
    request: { method: POST, url: /post, multipart: { a: { file: '{{up}}' } } }
  - name: Written
    request: { method: POST, url: /post, multipart: { a: { file: ../attempt.ts } } }
    assert: { body: { files: { a: { contains: export } } } }
  - name: Near
    request: { method: POST, url: /post, file: '{{near}}' }
    assert: { body: { data: { contains: export } } }
`),
  )
  for (const name of ['Absolute', 'Upward'])
    expect(failuresOf(outcomes[name])).toEqual([
      expect.stringMatching(
        /^Could not read the file .* for the body: it came from a value and is outside the folder of the suite\./,
      ),
    ])
  for (const name of ['Written', 'Near']) expect(failuresOf(outcomes[name])).toEqual([])
})

test('a value arrives in a url as it is', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Capture
    request: { method: POST, url: /post, body: { value: 'a%2Bb+c%&d' } }
    capture: { value: body.json.value }
  - name: Query
    request: { url: '/get?q={{value}}' }
    assert: { body: { args: { q: 'a%2Bb+c%&d' } } }
  - name: Path
    request: { url: '/anything/{{value}}' }
    assert: { body: { url: { pattern: '/anything/a%252Bb[+]c%25%26d$' } } }
`),
  )
  for (const name of ['Query', 'Path']) expect(failuresOf(outcomes[name])).toEqual([])
})

test('a number without a JSON form is refused where it would be sent', async () => {
  const { outcomes } = await runText(
    suite(`  - name: Capture
    request: { method: POST, url: /post, headers: { content-type: application/json }, body: '{"big": 1e400}' }
    capture: { big: body.json.big }
  - name: Body
    request: { method: POST, url: /post, body: { list: [1, { big: '{{big}}' }], none: null } }
  - name: Query
    request: { url: /get, params: { big: '{{big}}' } }
  - name: Header
    request: { url: /get, headers: { x-big: '{{big}}' } }
  - name: Part
    request: { method: POST, url: /post, multipart: { big: '{{big}}' } }
`),
  )
  expect(failuresOf(outcomes['Body'])).toEqual([
    'Expected `body.list.1.big` to be a finite number, got `Infinity` (number). JSON has no form for it, and the value it was made from was too large (INVALID_REQUEST)',
  ])
  for (const name of ['Query', 'Header', 'Part'])
    expect(failuresOf(outcomes[name])).toEqual([expect.stringContaining('to be a finite number')])
})
