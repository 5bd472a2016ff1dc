// The requests and checks of a workload, written as suites, as test files by hand, and as a plain script.

import { stringify } from 'yaml'

/** A step. `{{token}}` stands for what the previous step captured. */
export type Call = {
  name: string
  method: string
  path: string
  headers?: Record<string, string>
  body?: object
  checks?: Record<string, unknown>
  /** The field that is captured. */
  captured?: string
}

export type Plan = (steps: number) => Call[]

/** Steps alternate: a GET with two headers and a query, a POST with 200 bytes of JSON. Each captures a value for the next. */
export const usual: Plan = (steps) =>
  repeat(steps, (number) => (number % 2 === 1 ? read(number) : write(number)))

function read(number: number): Call {
  const trace = `trace-${number}`
  return {
    name: `Step ${number} reads`,
    method: 'GET',
    path: `/get?page=${number}&token={{token}}`,
    headers: { Accept: 'application/json', 'X-Trace-Id': trace },
    checks: { 'args.page': String(number), 'args.token': '{{token}}', 'headers.X-Trace-Id': trace },
    captured: 'args.token',
  }
}

function write(number: number): Call {
  const user = { name: `User ${number}`, email: `user${number}@example.org`, active: true }
  const note = 'Sixty characters of ordinary text so that it has 200 bytes'
  return {
    name: `Step ${number} writes`,
    method: 'POST',
    path: '/post',
    headers: { 'Content-Type': 'application/json' },
    body: { token: '{{token}}', user, items: [1, 2, 3], note },
    checks: { 'json.token': '{{token}}', 'json.user.name': user.name, 'json.items': [1, 2, 3] },
    captured: 'json.token',
  }
}

/** Steps that mostly wait for the server. */
export const waiting: Plan = (steps) =>
  repeat(steps, (number) => ({ name: `Step ${number} waits`, method: 'GET', path: '/delay/0.1' }))

function repeat(steps: number, make: (number: number) => Call): Call[] {
  return Array.from({ length: steps }, (_, index) => make(index + 1))
}

export function writeSuite(plan: Plan, suite: number, steps: number): string {
  return stringify({
    suite_name: `Suite ${suite}`,
    base_url: '{{base_url}}',
    variables: { token: `token-${suite}-0` },
    steps: plan(steps).map(({ name, method, path, headers, body, checks, captured }) => ({
      name,
      request: { method, url: path, headers, body },
      assert: { status_code: 200, body: checks },
      capture: captured && { token: `body.${captured}` },
    })),
  })
}

/** Text of the equivalent test file, written by hand. */
export function writeTest(plan: Plan, suite: number, steps: number): string {
  const tests = plan(steps).map(({ name, method, path, headers, body, checks = {}, captured }) => {
    const init = [
      `method: '${method}'`,
      ...(headers ? [`headers: ${JSON.stringify(headers)}`] : []),
      ...(body ? [`body: JSON.stringify(${writeValue(body)})`] : []),
    ]
    const expects = Object.entries(checks).map(([field, value]) => {
      const matcher = typeof value === 'string' ? 'toBe' : 'toEqual'
      return `\n    expect(${writeField(field)}).${matcher}(${writeValue(value)})`
    })
    return `  test('${name}', async () => {
    const response = await fetch(\`\${base}${path.replace('{{token}}', '${token}')}\`, { ${init.join(', ')} })
    const body = await response.json()
    expect(response.status).toBe(200)${expects.join('')}${captured ? `\n    token = ${writeField(captured)}` : ''}
  })
`
  })
  return `import { describe, expect, test } from 'vitest'

const base = process.env.BENCH_URL
let token = 'token-${suite}-0'

describe('Suite ${suite}', () => {
${tests.join('\n')}})
`
}

/** The JavaScript expression for a field of a response's body. */
function writeField(path: string): string {
  return path.split('.').reduce((body, name) => `${body}['${name}']`, 'body')
}

function writeValue(value: unknown): string {
  return JSON.stringify(value).replaceAll('"{{token}}"', 'token')
}

/** Text of the least code that does the same: one script, undici, one request after the other on keep-alive connections. */
export function writeFloor(suites: number, steps: number): string {
  return `import { deepStrictEqual, strictEqual } from 'node:assert'
import { request } from 'undici'

const calls = ${JSON.stringify(usual(steps))}
let passed = 0
for (let suite = 1; suite <= ${suites}; suite++) {
  let token = \`token-\${suite}-0\`
  const fill = (text) => text?.replace('{{token}}', token)
  for (const { method, path, headers, body, checks, captured } of calls) {
    const options = { method, headers, body: fill(JSON.stringify(body)) }
    const answer = await request(process.env.BENCH_URL + fill(path), options)
    const found = await answer.body.json()
    strictEqual(answer.statusCode, 200)
    for (const field in checks)
      deepStrictEqual(pick(found, field), checks[field] === '{{token}}' ? token : checks[field])
    token = pick(found, captured)
    passed++
  }
}
console.log(\`Tests  \${passed} passed (\${passed})\`)

function pick(found, field) {
  return field.split('.').reduce((value, name) => value[name], found)
}
`
}

/** Text of a suite that reads what the previous one captured, and exports it again. */
export function writeChainedSuite(suite: number): string {
  const value = suite === 1 ? 'start' : `{{link${suite - 1}.value}}`
  return `suite_name: Suite ${suite}
node_id: link${suite}
exports: [value]
base_url: '{{base_url}}'
steps:
  - name: Hands on
    request: { url: '/get?value=${value}' }
    assert: { status_code: 200 }
    capture: { value: body.args.value }
`
}
