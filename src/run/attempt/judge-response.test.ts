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

test('an error in the answer to a JSON-RPC call or a persisted query is told, unless something looks at it', async () => {
  const server = await startHttpServer((request, response) => {
    const answer = { id: 1, error: { code: -32601 }, errors: [{ message: 'no' }] }
    const isStream = request.url === '/events'
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
    response.statusCode = request.url === '/404' ? 404 : 200
    response.end(isStream ? `data: ${JSON.stringify(answer)}\n\n` : JSON.stringify(answer))
  })
  const told = async (step: string, body = '{ jsonrpc: "2.0", id: 1, method: a }'): Promise<unknown> => {
    const request = `request: { method: POST, body: ${body},`
    const text = `suite_name: Test\nbase_url: '${server.url}'\nsteps:\n  - { name: Call, ${request} ${step} }\n`
    return (await runText(text)).outcomes['Call']?.result.warnings?.map(({ message }) => message)
  }
  const rpc = (rule: string): string[] => [
    `The response has a JSON-RPC error, and no check looks at it. Check ${rule}.`,
  ]
  try {
    expect(await told('url: / }, assert: { status_code: 200, body.id: 1 }')).toEqual(rpc('`body.error`'))
    expect(await told('url: / }, assert: { headers.content-type: { not_contains: error } }')).toEqual(
      rpc('`body.error`'),
    )
    expect(await told('url: / }, assert: { status_code: 200 }', '[{ jsonrpc: "2.0" }]')).toEqual(
      rpc('`body.error`'),
    )
    expect(await told('url: /404 }, assert: { body.id: 1 }')).toEqual(rpc('`body.error`'))
    expect(await told('url: /events }, stream: {}, assert: { status_code: 200 }')).toEqual(
      rpc('`error` in the `data` of the events'),
    )
    expect(await told('url: / }', '{ extensions: { persistedQuery: { version: 1 } } }')).toEqual([
      'The response has GraphQL errors, and no check looks at them. Send the query with `graphql`, which fails on them, or check `body.errors`.',
    ])
    expect(await told('url: /events }, stream: {}', "{ query: 'subscription { a }' }")).toEqual([
      'The response has GraphQL errors, and no check looks at them. Check `errors` in the `data` of the events.',
    ])
    for (const quiet of [
      'url: / }, assert: { body.error.code: -32601 }',
      'url: / }, assert: { custom: [{ condition: body.error.code < 0 }] }',
      'url: / }, assert: { body: { same_keys: [id, error, errors] } }',
      'url: / }, capture: { code: body.error.code }',
      'url: / }, assert: { body: { schema: { type: object, required: [error] } } }',
      'url: /404 }, assert: { status_code: 404 }',
      'url: /events }, stream: {}, assert: { events: { some: { data.error.code: -32601 } } }',
    ])
      expect([quiet, await told(quiet)]).toEqual([quiet, undefined])
    expect(await told('url: / }', '{ id: 1 }')).toBeUndefined()
  } finally {
    await server.close()
  }
})

test('a failed comparison shows what its calls gave, unless they read a secret', async () => {
  const server = await startHttpServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.setHeader('set-cookie', 'sid=0123456789')
    response.end('{ "lines": ["a", "b"], "csrf_token": "0123456789abcdef", "pin": "4711-0815" }')
  })
  const shown = async (condition: string): Promise<string | undefined> => {
    const step = `{ name: Get, request: { url: / }, assert: { custom: [{ condition: "${condition}" }] } }`
    const text = `suite_name: Test\nredact: [pin]\nvariables: { copy: a-b }\nbase_url: '${server.url}'\nsteps:\n  - ${step}\n`
    const [failure] = (await runText(text)).outcomes['Get']?.failures ?? []
    return failure?.message.split('got `false`: ')[1]
  }
  try {
    expect(await shown("body.lines.map((line) => line + '!').join('') === 'c!'")).toBe(
      '`body.lines.map((line) => line + \'!\').join(\'\')` is `"a!b!"`, `body.lines` is `["a","b"]`',
    )
    expect(await shown('(body.lines.at(0) === body.lines.at(1)) && status_code === 200')).toBe(
      '`body.lines.at(0)` is `"a"`, `body.lines.at(1)` is `"b"`, `body.lines` is `["a","b"]`, `status_code` is `200`',
    )
    expect(await shown("!body.lines.join('').startsWith('a')")).toMatch(
      /^`body.lines.join\(''\)` is `"ab"`, /,
    )
    expect(await shown("/c/.test(body.lines.join(''))")).toMatch(/^`body.lines.join\(''\)` is `"ab"`, /)
    for (const plain of ["body.lines.some((line) => line.includes('c'))", 'isNaN(...body.lines.slice(9), 1)'])
      expect(await shown(plain)).toBe('`body.lines` is `["a","b"]`')
    expect(await shown('body.lines.length > 2')).toBe('`body.lines.length` is `2`')
    expect(await shown("body.csrf_token.slice(0, 8) === 'a'")).not.toContain('slice')
    expect(await shown("body['pin'].slice(0, 4) === 'a'")).not.toContain('slice')
    // The value of a variable or cookie may be a secret under another name.
    for (const root of ['copy', 'variables.copy', 'cookies.sid'])
      expect(await shown(`${root}.slice(0, 2) === 'x'`)).not.toContain('slice')
    expect(await shown("copy.split('-').length === 1")).toContain("`copy.split('-').length` is `2`")
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
