import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSuite } from '../load-suite.ts'
import type { SuitePlan } from '../plan/plan.ts'
import { writeTemplates } from './flow-test.ts'

const folder = join(import.meta.dirname, 'fixtures')
const orderFlow = readFileSync(join(folder, 'order-flow.yaml'), 'utf8')

function load(text: string): Promise<SuitePlan> {
  return loadSuite({ path: 'suites/orders/a.yaml', text }, { folder, compat: true })
}

const withStep = (more: string): string =>
  `suite_name: S\nsteps:\n  - name: First\n    request: { url: /x }\n    ${more}\n`

describe('a suite of flow-test-engine', () => {
  test('loads with everything that is left out listed at its place', async () => {
    const { warnings } = await load(orderFlow)
    expect(warnings.map(({ line, column, message }) => `${line}:${column} ${message}`))
      .toMatchInlineSnapshot(`
        [
          "5:1 Unknown field \`execution_mode\`. It is ignored. Remove it. Known here: suite_name, node_id, description, metadata, exports, depends, base_url, variables, defaults, timeout, retry, follow_redirects, cookies, on_failure, prerequisites, redact, tls, insecure, proxy, http2, xml_namespaces, mocks, use, skip, clock, setup, teardown, each, steps.",
          "10:5 \`cache\` is ignored: a suite runs only once, unchanged, for all suites that depend on it.",
          "11:5 \`variables\` is ignored: a suite runs only once, unchanged, for all suites that depend on it.",
          "12:5 \`depends\` is ignored: this suite is not required.",
          "18:3 Unknown field \`owner\` in \`metadata\`. It is ignored. Remove it. Known here: priority, tags, estimated_duration_ms.",
          "20:10 Nothing in this suite captures \`coupon\`. Capture it in a step, or remove the export.",
          "27:5 \`input\` asks for nothing here: its variables get their defaults.",
          "33:7 \`shout\` is ignored: only plain paths are captured here.",
          "36:5 Unknown field \`hooks_pre_request\` in \`steps[1]\`. It is ignored. Remove it. Known here: name, description, tags, variables, todo, step_id, request, body_as, save, websocket, stream, burst, assert, capture, scenarios, retry, skip, iterate, call, continue_on_failure, delay_ms, advance, mocks, debug, only.",
          "51:7 \`description\` is ignored: steps have no such setting here.",
          "53:48 \`retry_on\` is ignored, except statuses.",
          "56:7 Unknown field \`json.customer\` in \`assert\`. It is ignored. Did you mean \`body.customer\`?",
          "60:42 \`body.json.list.length\` has no check \`min\`: it is a number. It is ignored. Did you mean \`in\`?",
          "60:50 \`body.json.list.length\` has no check \`max\`: it is a number. It is ignored. Its checks are: equals, not_equals, in, not_in, greater_than, greater_than_or_equal, less_than, less_than_or_equal, between.",
          "61:37 Unknown check \`lenght\`. It is ignored.",
          "62:27 \`response_time_ms\` has no check \`max\`: it is a number. It is ignored. Its checks are: greater_than, greater_than_or_equal, less_than, less_than_or_equal, between.",
          "69:13 \`Check individual results\` is not a JMESPath expression: at character 7, \`individual\` is not allowed here. It is left out.",
          "72:71 Unknown field \`steps\` in \`steps[1].scenarios[0].then\`. It is ignored. Remove it. Known here: assert, capture, variables.",
          "85:7 Unknown field \`alias\` in \`steps[2].call\`. It is ignored. Remove it. Known here: suite, step, variables.",
          "94:5 Unknown field \`hooks_post_input\` in \`steps[4]\`. It is ignored. Remove it. Known here: name, description, tags, variables, todo, step_id, request, body_as, save, websocket, stream, burst, assert, capture, scenarios, retry, skip, iterate, call, continue_on_failure, delay_ms, advance, mocks, debug, only.",
        ]
      `)
  })

  test('becomes a plan like any other', async () => {
    const plan = await load(orderFlow)
    expect(plan).toMatchObject({
      nodeId: 'order-flow',
      priority: 'high',
      tags: ['smoke-test', 'orders'],
      timeout: 8000,
      exports: ['order_id', 'coupon'],
      depends: ['./auth-setup.yaml', 'catalog'],
    })
    const [ask, create, call, item, hooks] = plan.steps
    expect(ask).toMatchObject({ provides: [], captures: [], skip: true, skipReason: 'it sends nothing' })
    expect(plan.variables).toEqual({
      tier: 'gold',
      items: [{ id: 1 }, { id: 2 }],
      ...{ email: 'ci@example.org', age: 25, customer: '{{email}}', years: '{{age}}' },
    })
    expect(create).toMatchObject({
      request: { timeout: 500 },
      retry: { max_attempts: 3, base_delay_ms: 100, backoff: 'fixed', on: [503] },
      reads: ['tier', 'customer', 'httpbin_url', 'email'],
    })
    expect(create?.captures.map(({ name, path, literal }) => [name, path ?? literal])).toEqual([
      ['order_id', 'body.json.id || `7`'],
      ['names', 'body.json.items[?price > `5`].name | [0]'],
      ['text', 'literal'],
      ['count', 5],
      ['object', { tier: '{{tier}}' }],
    ])
    expect(call).toMatchObject({
      call: { suite: '../../shared/helper.yaml', step: 'Do it', variables: { a: '{{order_id}}' } },
      continueOnFailure: true,
    })
    expect(item).toMatchObject({
      iterate: { over: '{{items}}', as: 'item' },
      skip: "!!((tier) === 'none' || dry_run == true)",
      delay: 50,
    })
    expect(hooks).toMatchObject({ skip: true })
    expect([create?.skip, call?.skip]).toEqual([undefined, undefined])
  })

  test.each([
    ['[slow]', ['slow'], []],
    ['[a b]', [], ['`tags` is ignored: steps have no such setting here.']],
  ])('keeps the tags of a step that Vitest can take: %s', async (written, tags, told) => {
    const { steps, warnings } = await load(withStep(`metadata: { tags: ${written} }`))
    expect(steps[0]?.tags).toEqual(tags)
    expect(warnings.map(({ message }) => message)).toEqual(told)
  })

  test('keeps values and templates that an `input` step captures, and exports that may be missing alone', async () => {
    const captures = 'capture: { path: email, text: "{{email}}", sum: "{{js: 1 + 1}}", count: 5, on: true }'
    const { variables, exports, warnings } = await load(
      `exports:\nexports_optional: [count]\nsteps: [{ input: { variable: email, default: a@b.c }, ${captures} }]`,
    )
    const templates = { path: '{{email}}', text: '{{email}}', sum: '{{js: 1 + 1}}' }
    expect(variables).toEqual({ email: 'a@b.c', ...templates, count: 5, on: true })
    expect(exports).toEqual(['count'])
    expect(warnings.map(({ message }) => message)).not.toContainEqual(
      expect.stringContaining('only plain paths'),
    )
  })

  test('tells what was moved at the step it is in', async () => {
    const plan = await load(orderFlow)
    const lineOf = (words: string): number => orderFlow.slice(0, orderFlow.indexOf(words)).split('\n').length
    expect(plan.steps.map(({ at }) => at[0])).toEqual([
      lineOf('Ask for the customer'),
      lineOf('Create the order'),
      lineOf('Call a helper'),
      lineOf('Item {{item.id}}'),
      lineOf('Only hooks'),
    ])
    expect(plan.steps[1]?.retry?.at).toEqual([lineOf('Create the order'), 5])
    expect(
      plan.needs.map(({ suite, range: [start] }) => [suite, orderFlow.slice(0, start).split('\n').length]),
    ).toEqual([
      ['./auth-setup.yaml', lineOf('./auth-setup')],
      ['catalog', lineOf('node_id: catalog')],
      ['../../shared/helper.yaml', lineOf('test: "shared')],
    ])
  })
})

test('repeats for statuses and classes; what else `retry_on` has is told', async () => {
  const read = async (on: string): Promise<unknown> => {
    const { steps, warnings } = await load(
      withStep(`metadata: { retry: { max_attempts: 2, retry_on: ${on} } }`),
    )
    return [steps[0]?.retry?.on, ...warnings.map(({ message }) => message)]
  }
  const told = '`retry_on` is ignored, except statuses.'
  expect(await read('[429, 5xx, { status_code: 503 }]')).toEqual([[429, '5xx', 503]])
  expect(await read("[429, { error: timeout }, '503']")).toEqual([[429], told])
  expect(await read('timeout')).toEqual([undefined, told])
})

describe('what only that engine accepts', () => {
  test.each([
    ['a step without a name', 'suite_name: S\nsteps: [{ request: { url: /x } }]'],
    ['a suite without a name', 'steps: [{ name: a, request: { url: /x } }]'],
    ['an export that may be missing', `exports: [later]\n${withStep('')}`],
    ['an empty assertion', withStep('assert: { body: {} }')],
    ['checks of the wrong kind', withStep("assert: { body: { a: { exists: 'yes', minLength: few } } }")],
    ['a capture that is not a path', withStep('capture: { a: some words here, b: }')],
    ['a template that is not an expression', withStep('capture: { a: "{{users | first(@)}} {{a b}}" }')],
    ['a single input', withStep('input: { variable: a, default: 1 }')],
    ['an iteration without a name', withStep("iterate: { over: '{{list}}' }")],
    ['a delay with a range', withStep('delay: { min: 1, max: 2 }')],
    ['legacy assertions', withStep('assertions: [{ type: status_code, expected: 200 }]')],
  ])('loads: %s', async (_, text) => {
    expect((await load(text)).steps).toHaveLength(1)
  })

  test.each([
    ['{{env}} === "x"', '!!((env) === "x")'],
    ['!{{debug}}', '!!(!(debug))'],
    ['{{js: a > 1}}', '!!((a > 1))'],
    ['count > `10` && flag == `false`', '!!(count > 10 && flag == false)'],
    ['kind == `text`', '!!(kind == `text`)'],
  ])('skips on %s as on %s', async (written, skip) => {
    const { steps } = await load(withStep(`skip: ${JSON.stringify(written)}`))
    expect(steps[0]?.skip).toBe(skip)
  })

  test('does not load where the structure itself is wrong', async () => {
    await expect(load('suite_name: S\nsteps: [{ name: a, request: text }]')).rejects.toThrow(
      'Expected `steps[0].request` to be a map',
    )
  })

  test.each([
    [
      'suite_name: S\nstps: [{ name: a, request: { url: /x } }]',
      '1:1 error missing-field: `steps` is missing.',
    ],
    [
      'suite_name: S\nsteps: [{ name: a, request: { url: /x, auth: { baerer: x } } }]',
      '2:46 error bad-value: Expected `auth` to be none or one of basic, bearer, api_key, digest, oauth2, aws, got no credentials.',
    ],
    [
      'suite_name: S\nsteps: [{ name: a, request: { ulr: /x } }]',
      '2:20 error missing-field: `steps[0].request.url` is missing.',
    ],
    [
      "suite_name: S\nsteps: [{ name: a, request: { url: /x, graphql: { qury: '{ a }' } } }]",
      '2:49 error bad-value: Expected `steps[0].request.graphql` to be a map with either `query` or `query_file`, got `{}` (object).',
    ],
    [
      'suite_name: S\nsteps: [{ name: a, iterate: { ovr: [1] }, request: { url: /x } }]',
      '2:29 error bad-value: Expected `steps[0].iterate` to be a map with either `over` or `range`, got `{"as":"item"}` (object).',
    ],
  ])('does not load where what it needs is misspelt, and so ignored: %j', async (text, problem) => {
    await expect(load(text)).rejects.toThrow(problem)
  })

  test('takes a map with a check in it for checks only', async () => {
    const tree =
      '{ user: { type: object, not_null: true, id: 5 }, other: { not_null: 1 }, a.list: { each: { type: string, id: 1 } } }'
    const { steps, warnings } = await load(withStep(`assert: { body: ${tree} }`))
    expect(steps[0]?.checks.map(({ field, operator }) => [field, operator])).toEqual([
      ['body.user', 'type'],
      ['body.other.not_null', 'equals'],
      ['body.a.list', 'each'],
    ])
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('Unknown check `not_null`. It is ignored.'),
      expect.stringContaining('Unknown check `id`. It is ignored.'),
      expect.stringContaining('Unknown check `id`. It is ignored.'),
    ])
  })

  test('compares `id:` with null, and keeps a map of paths as it is, with a warning', async () => {
    const { steps, warnings } = await load(
      withStep('assert: { body: { id: } }\n    capture: { all: { a: body.a } }'),
    )
    expect(steps[0]?.checks).toMatchObject([{ field: 'body.id', operator: 'equals', expected: null }])
    expect(steps[0]?.captures).toMatchObject([{ literal: { a: 'body.a' } }])
    expect(warnings.map(({ message }) => message).join('\n')).toContain('would be captured as these')
  })

  test('takes a variable of any name, whatever objects inherit', async () => {
    const { variables } = await load(
      'suite_name: S\nsteps:\n  - input: { variable: __proto__, default: { a: 1 } }\n',
    )
    expect(Object.keys(variables)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(variables)).toBeNull()
  })
})

test.each([
  ['{{$js.Date.now()}}', '{{js: Date.now()}}'],
  ['{{$js:Date.now()}}', '{{js: Date.now()}}'],
  ['a {{ $js. return 1 + 1 }} b', 'a {{ js:         1 + 1 }} b'],
  ['{{$js.returned}}', '{{js: returned}}'],
  ['{{js: 1}} {{name}} $js.a', '{{js: 1}} {{name}} $js.a'],
])('%s is written as %s, as long as it was', (before, after) => {
  expect(writeTemplates(before)).toBe(after)
  expect(after).toHaveLength(before.length)
})

test('all texts of a value are written, and its keys stay', () => {
  const value = { '{{$js.a}}': { code: '{{$js.a}}' }, list: [{ code: '{{$js:b}}' }, 1, null] }
  expect(writeTemplates(value)).toEqual({
    ...{ '{{$js.a}}': { code: '{{js: a}}' }, list: [{ code: '{{js: b}}' }, 1, null] },
  })
})
