import { describe, expect, test } from 'vitest'
import { shareRun } from '../../testing/fixtures/shared-run.ts'

const APP = `
import { createServer } from 'node:http'
export default createServer(async (request, response) => {
  const up = await fetch('http://upstream.test' + request.url).catch(() => undefined)
  response.setHeader('content-type', 'application/json')
  response.statusCode = up?.status ?? 502
  response.end(up ? await up.text() : '{}')
})
`

const MOCKED = `import { defineSuite } from 'suitecase'
import { http, HttpResponse } from 'msw'

defineSuite({
  suite_name: 'Mocked',
  mocks: [
    http.get('http://upstream.test/handled', () => HttpResponse.json({ from: 'handler' })),
    { url: 'http://upstream.test/plain', respond: { body: { from: 'mock' } } },
    http.get('http://upstream.test/plain', () => HttpResponse.json({ from: 'never' })),
  ],
  steps: [
    { name: 'handler', request: { url: '/handled' }, assert: { 'body.from': 'handler' } },
    { name: 'plain', request: { url: '/plain' }, assert: { 'body.from': 'mock' } },
    { name: 'step', request: { url: '/handled' }, assert: { 'body.from': 'step' },
      mocks: [http.get('http://upstream.test/handled', () => HttpResponse.json({ from: 'step' }))] },
    { name: 'unhandled', request: { url: '/nowhere' }, assert: { status_code: 502 } },
    { name: 'broken', request: { url: '/thrown' }, mocks: [http.get('http://upstream.test/thrown', () => { throw new Error('resolver') })] },
  ],
})
`

const shareWithApp = shareRun({ suites: `{ app: './app.ts' }`, test: '{ isolate: false }' })

const mocked = shareWithApp(() => ({ 'app.ts': APP, 'mocked.test.ts': MOCKED }))
test('the application runs in process, its upstream services answered by mocks and MSW handlers', async () => {
  const { output, project } = await mocked()
  const { steps_results } = await project.result('mocked')
  expect(steps_results.map(({ step_name, status }) => [step_name, status])).toEqual([
    ['handler', 'success'],
    ['plain', 'success'],
    ['step', 'success'],
    ['unhandled', 'failure'],
    ['broken', 'failure'],
  ])
  expect(steps_results[0]?.mock_calls).toMatchObject([{ outcome: 'mocked', status_code: 200 }])
  // The address of the application is the default `base_url`.
  expect(steps_results[0]?.request_details?.raw_url).toBe('{{base_url}}/handled')
  expect(output).toContain('http://upstream.test/nowhere')
})

const SCHEMAS = `import { defineSuite } from 'suitecase'
import * as v from 'valibot'
import { z } from 'zod'
const later = z.object({}).refine(async () => false)
const callable = Object.assign(() => 1, { '~standard': { version: 1, vendor: 'arktype', validate: (value) => typeof value === 'string' ? { value } : { issues: [{ message: 'must be a string' }] } } })
const throwing = { '~standard': { version: 1, vendor: 'own', validate: () => { throw new Error('inner') } } } as const
const body = { id: 5, user: { name: '', tags: ['a', 1] } }
const request = { method: 'POST', url: '/post', body }
defineSuite({
  suite_name: 'Schemas', base_url: '{{echo_url}}',
  steps: [
    { name: 'fits', request, assert: { body: z.object({ json: z.object({ id: z.number() }) }), status_code: 200 } },
    { name: 'nested', request, assert: { body: { json: { id: v.number(), user: z.object({ name: z.string() }) }, url: /post/ }, 'body.json.id': z.int() } },
    { name: 'events', request: { url: '/sse?duration=0&data={%22n%22:1}&data={%22n%22:2}&data=3' }, stream: { until: ({ event, variables }) => event.data.n === variables.last },
      variables: { last: 2 }, assert: { 'events[*].data': { each: z.object({ n: z.int() }) }, 'events[1].data.n': z.int(), events: { length: 2 } } },
    { name: 'GraphQL', request: { url: '/graphql', graphql: { query: '{ users { name } }' } }, assert: { data: z.object({ users: z.array(z.object({ name: z.string() })) }), 'data.users[0].name': z.string() } },
    { name: 'fails', request, assert: { body: v.object({ json: v.object({ id: v.string(), user: v.object({ name: v.pipe(v.string(), v.nonEmpty()) }) }) }) } },
    { name: 'each', request, assert: { 'body.json.user.tags': { each: z.string(), length: 2 }, 'body.json.id': callable } },
    { name: 'asynchronous', request, assert: { body: later } },
    { name: 'throws', request, assert: { body: throwing } },
  ],
})
`

describe('suites in TypeScript', () => {
  const share = shareRun({ test: '{ isolate: false }' })

  const schemas = share(() => ({ 'schemas.test.ts': SCHEMAS }))
  test('Standard Schemas judge the body and parts of it', async () => {
    const { output, project } = await schemas()
    const { steps_results } = await project.result('schemas')
    expect(steps_results.map(({ status }) => status)).toEqual([
      'success',
      'success',
      'success',
      'success',
      'failure',
      'failure',
      'failure',
      'failure',
    ])
    expect(
      steps_results
        .slice(4)
        .flatMap(({ assertions_results }) => assertions_results.map(({ message }) => message)),
    ).toEqual([
      'Expected `body` to match the valibot schema:\n  `body.json.id` Invalid type: Expected string but received 5\n  `body.json.user.name` Invalid length: Expected !0 but received 0',
      'Expected every element of `body.json.user.tags` to pass; 1 of 2 did not:\n  Expected `body.json.user.tags[1]` to match the zod schema:\n    `body.json.user.tags[1]` Invalid input: expected string, received number',
      'OK',
      'Expected `body.json.id` to match the arktype schema:\n  `body.json.id` must be a string',
      'Expected `body` to match the zod schema:\n  `body` cannot be checked: the schema is asynchronous; use synchronous rules',
      'Expected `body` to match the own schema:\n  `body` cannot be checked: the schema threw inner',
    ])
    expect(output).not.toContain('Unhandled')
  })

  const all = share(() => ({
    'all.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({
  suite_name: 'All', base_url: '{{echo_url}}',
  steps: [
    { name: 'repeated', request: { url: () => '/status/503' }, retry: { max_attempts: 2, base_delay_ms: 1, on: [503] } },
    { name: 'listed', request: { url: '/get' }, assert: { body: { a: { any_of: [() => 1, 2] } } } },
    { name: 'thrown', variables: { a: { b: () => { throw new Error('no') } } }, request: { url: '/get' } },
  ],
})
`,
  }))
  test('nothing in the results of what the author wrote has another name for a function', async () => {
    const { project } = await all()
    const { steps_results } = await project.result('all')
    expect(steps_results[0]?.attempts?.[0]?.request_details?.raw_url).toBe(
      '{{base_url}}{{() => "/status/503"}}',
    )
    expect(steps_results[1]?.assertions_results[0]?.expected).toEqual(['{{() => 1}}', 2])
    expect(steps_results[2]?.available_variables['a']).toEqual({ b: '{{() => { throw new Error("no"); }}}' })
    for (const file of ['suites/all.json', 'failures.json', 'index.html'])
      expect(await project.report(file)).not.toContain('__suitecase')
  })

  const helped = share(() => ({
    'helper.ts': `export const inner = (): never => {
  throw new Error('no such thing')
}
export const outer = (): never => inner()
`,
    'helped.test.ts': `import { defineSuite } from 'suitecase'
import { outer } from './helper.ts'
defineSuite({
  suite_name: 'Helped', base_url: '{{echo_url}}',
  steps: [
    { name: 'url', request: { url: () => outer() } },
    { name: 'check', request: { url: '/get' }, assert: { custom: [{ condition: () => [1].every(outer) }] } },
    { name: 'own', request: { url: '/get' }, assert: { custom: [{ condition: ({ body }) => body.no.thing }] } },
  ],
})
`,
  }))
  test('what a helper throws is told with its place and the places that called it', async () => {
    const { project } = await helped()
    const { steps_results } = await project.result('helped')
    const [url, check, own] = steps_results.map(({ error_message, assertions_results }) =>
      [error_message, ...assertions_results.map(({ message }) => message)].join(''),
    )
    const places = 'no such thing (helper.ts:2:9, called at helper.ts:4:35, called at helped.test.ts'
    expect(url).toBe(`The expression \`() => outer()\` failed. ${places}:6:42)`)
    expect(check).toContain(`failed with \`${places}:7:90)\``)
    expect(own).toContain("reading 'thing') (helped.test.ts:8:100)")
  })
})

const said = '"__suitecase_0(" and __suitecase_0(body)'
const shown = shareWithApp(() => ({
  'shown.test.ts': `import { defineSuite } from 'suitecase'
import { expect } from 'vitest'
defineSuite({
  suite_name: 'Shown', base_url: '{{echo_url}}', variables: { said: ${JSON.stringify(said)} },
  steps: [{
    name: 'says', request: { method: 'POST', url: '/post', body: { said: '{{said}}' } }, capture: { echoed: 'body.json.said' },
    assert: { custom: [{ condition: ({ body }) => body.json.said === 1 }, { condition: ({ body }) => !expect.isSoft && body.json.said === 2 }] },
  }],
})
`,
}))
test('results name functions as they are written, and leave alone what an answer says', async () => {
  const { output, project } = await shown()
  const step = await project.step('shown', 'says')
  expect(step.captured_variables).toEqual({ echoed: said })
  expect(step.response_details?.body).toMatchObject({ json: { said } })
  expect(step.assertions_results[0]?.message).toContain('`({ body }) => body.json.said === 1`')
  expect(output).toContain('({ body }) => body.json.said === 1')
  expect(output).toContain('`({ body }) => !expect.isSoft && body.json.said === 2`')
})
