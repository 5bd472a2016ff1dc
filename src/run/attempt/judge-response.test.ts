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

test('errors in the answer to a GraphQL query that was sent as a plain body are told, unless a check asks for them', async () => {
  const server = await startHttpServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{ "data": null, "errors": [{ "message": "no" }] }')
  })
  const step = (name: string, body: string, more: string): string =>
    `  - { name: ${name}, request: { method: POST, url: /, body: ${body} }, ${more} }\n`
  try {
    const { outcomes } = await runText(`suite_name: Test
base_url: '${server.url}'
steps:
${step('Unseen', "{ query: '{ a }' }", 'assert: { status_code: 200 }')}\
${step('Asked', "{ query: '{ a }' }", 'assert: { body.errors: { length: 1 } }')}\
${step('Branch', "{ query: '{ a }' }", "scenarios: [{ condition: 'length(body.errors) > `0`', then: { assert: { status_code: 200 } } }]")}\
${step('Search', '{ query: a }', 'assert: { status_code: 200 }')}`)
    const warnings = Object.values(outcomes).map(({ result }) =>
      result.warnings?.map(({ message }) => message),
    )
    expect(warnings).toEqual([
      [
        'The response has GraphQL errors, and no check looks at them. Send the query with `graphql`, which fails on them, or check `body.errors`.',
      ],
      undefined,
      undefined,
      undefined,
    ])
  } finally {
    await server.close()
  }
})

test('the case of header names does not matter in any expression over a response', async () => {
  const server = await startHttpServer((_, response) => {
    response.setHeader('X-Greeting', 'Hello Ann!')
    response.end('Ann')
  })
  try {
    const { run, outcomes } = await runText(`suite_name: Test
base_url: '${server.url}'
steps:
  - name: Get
    request: { url: /, headers: { X-Sent: Ann } }
    assert:
      body: "{{js: headers['X-Greeting'].match(/Hello (.*)!/)[1]}}"
      headers: { x-greeting: '{{headers.X-Greeting}}' }
    capture: { who: "{{js: headers['X-Greeting'].slice(6, -1)}}", sent: '{{request.headers.X-Sent}}' }
    scenarios:
      - { condition: "{{js: headers['X-Greeting'] !== undefined}}", then: { variables: { said: "{{js: headers['X-Greeting']}}" } } }
`)
    expect(outcomes['Get']?.failures).toEqual([])
    expect(run.captures).toEqual({ who: 'Ann', sent: 'Ann', said: 'Hello Ann!' })
  } finally {
    await server.close()
  }
})
