import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type EchoServer } from '../../server/index.ts'
import { startHttpServer } from '../request/fixtures/http-server.ts'
import { runText, type RanSuite } from './fixtures/run-text.ts'

let echo: EchoServer
beforeAll(async () => void (echo = await startServer()))
afterAll(() => echo.close())

function run(steps: string): Promise<RanSuite> {
  return runText(`suite_name: Test\nbase_url: '${echo.url}'\nsteps:\n${steps}`)
}

const ask = (query: string): string => `request: { url: /graphql, graphql: { query: '${query}' } }`

test('GraphQL is sent as POST and JSON; checks and captures start at the data', async () => {
  const { outcomes, run: state } = await run(`
  - name: Sent
    request:
      url: /anything
      graphql: { query: 'query Q { a }', variables: { id: 1 }, operation: Q }
    assert: { body: { method: POST, json: { query: 'query Q { a }', variables: { id: 1 }, operationName: Q } } }
  - name: Read
    ${ask('{ user(id: 1) { name } }')}
    assert: { data: { user: { name: Ada } }, data.user.name: { type: string } }
    capture: { name: data.user.name, none: { path: data.nobody, optional: true } }
`)
  expect(outcomes['Sent']?.failures).toEqual([])
  expect(outcomes['Read']?.failures).toEqual([])
  expect(outcomes['Read']?.result.assertions_results.map(({ field }) => field)).toEqual([
    'body.data.user.name.equals',
    'body.data.user.name.type',
    'body.errors.exists',
  ])
  expect(state.captures).toMatchObject({ name: 'Ada', none: null })
})

test.each([
  ['{}', 'got `{}` (object)'],
  ['[{"errors":[]}]', 'got `[{"errors":[]}]` (array)'],
  ['', 'got `""` (string)'],
])('an answer that is none of GraphQL, such as %s, fails the step', async (text, got) => {
  const server = await startHttpServer((_request, response) => response.end(text))
  const { outcomes } = await run(`
  - name: Asks
    request: { url: '${server.url}/', graphql: { query: '{ a }' } }
  - name: Asks twice
    request: { url: '${server.url}/', graphql: { query: '{ a }' } }
    burst: { times: 2 }
`)
  await server.close()
  for (const { failures, result } of Object.values(outcomes)) {
    const message = `Expected \`body.data\` or \`body.errors\` in a GraphQL response, ${got}`
    expect(failures.map((failure) => failure.message)).toEqual([message])
    expect(result.assertions_results.at(-1)).toMatchObject({ field: 'body.data', passed: false })
  }
  expect(Object.keys(outcomes)).toHaveLength(2)
})

test('a burst that counts its answers may expect errors of a gateway, which are none of GraphQL', async () => {
  const statuses = [200, 429, 200, 429, 500, 500, 200, 200]
  const server = await startHttpServer((_request, response) => {
    response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' })
    response.end(statuses.length === 7 || statuses.length === 5 ? '{"data":{}}' : '{"error":"slow down"}')
  })
  const { outcomes } = await run(`
  - name: Counted
    request: { url: '${server.url}/', graphql: { query: '{ a }' } }
    burst: { times: 4, concurrent: 1 }
    assert: { responses: [{ where: { status_code: 200 }, count: 2 }, { where: { status_code: 429 }, count: 2 }] }
  - name: Not counted
    request: { url: '${server.url}/', graphql: { query: '{ a }' } }
    burst: { times: 2 }
  - name: Counted as successes
    request: { url: '${server.url}/', graphql: { query: '{ a }' } }
    burst: { times: 2 }
    assert: { responses: [{ where: { status_code: 200 }, count: 2 }] }
`)
  await server.close()
  const message =
    'Expected `body.data` or `body.errors` in a GraphQL response, got `{"error":"slow down"}` (object)'
  expect(Object.values(outcomes).map(({ failures }) => failures.map((each) => each.message))).toEqual([
    [],
    [message],
    [message],
  ])
})

test('a burst that counts answers with errors expects them', async () => {
  const bodies = ['{"data":{"pay":1}}', '{"errors":[{"message":"paid"}]}']
  const server = await startHttpServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(bodies.shift() ?? '{"errors":[{"message":"paid"}]}')
  })
  const { outcomes } = await run(`
  - name: Pay once
    request: { url: '${server.url}/', graphql: { query: 'mutation { pay }' } }
    burst: { times: 3, concurrent: 1 }
    assert:
      responses:
        - { where: { 'body.errors[0].message': paid }, count: 2 }
        - { where: { 'errors[0].message': paid }, count: 2 }
        - { where: { data.pay: 1 }, count: 1 }
`)
  await server.close()
  expect(outcomes['Pay once']?.failures).toEqual([])
})

test('errors in the answer fail the step unless a check of it says what is expected of them', async () => {
  const { outcomes } = await run(`
  - name: Fails
    ${ask('{ nobody }')}
  - name: Fails with all that is missing then
    ${ask('{ nobody }')}
    assert: { data: { nobody: { id: 1 } } }
    capture: { id: data.nobody.id }
  - name: Expects
    ${ask('{ nobody }')}
    assert: { errors: { minLength: 1 } }
  - name: Expects below the body
    ${ask('{ nobody }')}
    assert: { body: { errors: { minLength: 1 } } }
  - name: Expects in a scenario
    ${ask('{ nobody }')}
    scenarios:
      - condition: status_code == 200
        then: { assert: { 'errors[0].message': { contains: nobody } }, capture: { what: 'errors[0].message' } }
  - name: Expects in a condition
    ${ask('{ nobody }')}
    assert: { custom: [{ condition: "body.errors[0].message.includes('nobody')" }] }
  - name: Fails beside a scenario that does not run
    ${ask('{ nobody }')}
    scenarios:
      - condition: status_code == 500
        then: { assert: { errors: { minLength: 1 } } }
  - name: Looks at something else
    ${ask('{ nobody }')}
    assert: { status_code: 200, body.errorsome: { exists: false }, custom: [{ condition: body.errorsome === undefined }] }
`)
  expect(outcomes['Fails']?.failures).toMatchObject([{ at: [6, 40] }])
  expect(outcomes['Fails']?.failures[0]?.message).toContain('Cannot query field')
  expect(outcomes['Fails with all that is missing then']?.failures.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^Expected nothing at `body\.errors`[^]*\nThese could not be checked: body\.data\.nobody\.id, the capture `id`$/,
    ),
  ])
  for (const name of ['Expects', 'Expects below the body', 'Expects in a scenario', 'Expects in a condition'])
    expect([name, outcomes[name]?.failures]).toEqual([name, []])
  for (const name of ['Fails beside a scenario that does not run', 'Looks at something else'])
    expect([name, outcomes[name]?.failures.length]).toEqual([name, 1])
})

test('a query or a variable that cannot be sent fails the step, where it is written', async () => {
  const { outcomes } = await run(`
  - name: Answers
    request: { method: POST, url: /anything, body: '1e999', headers: { content-type: application/json } }
    capture: { size: body.json, none: { path: body.none, default: null } }
  - name: No query
    request: { url: /graphql, graphql: { query: '{{none}}' } }
  - name: No number
    request: { url: /graphql, graphql: { query: '{ a }', variables: { of: '{{size}}' } } }
`)
  expect(['No query', 'No number'].flatMap((name) => outcomes[name]?.failures ?? [])).toMatchObject([
    { message: 'Expected `graphql.query` to be a string, got `null`', at: [9, 50] },
    {
      message: expect.stringMatching(
        /^Expected `graphql\.variables\.of` to be a finite number, got `Infinity`/,
      ),
      at: [11, 76],
    },
  ])
})
