// The same requests and checks as a suite, a hand-written test file and a plain script. Steps alternate: a GET with two
// headers and a query, a POST with 200 bytes of JSON. Each checks the status and three fields, and captures a value for the next.

import { stringify } from 'yaml'

/** A step of the workload. `{{token}}` is what the previous step captured. */
export type Call = {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body?: object
  /** Fields of the answer and their values. */
  checks: Record<string, unknown>
  /** The field that is captured. */
  captured: string
}

/** The steps of a suite. */
export function listCalls(steps: number): Call[] {
  return Array.from({ length: steps }, (_, index) => (index % 2 === 0 ? read(index + 1) : write(index + 1)))
}

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
  return {
    name: `Step ${number} writes`,
    method: 'POST',
    path: '/post',
    headers: { 'Content-Type': 'application/json' },
    body: { token: '{{token}}', user, items: [1, 2, 3], note: NOTE },
    checks: { 'json.token': '{{token}}', 'json.user.name': user.name, 'json.items': [1, 2, 3] },
    captured: 'json.token',
  }
}

const NOTE = 'Sixty characters of ordinary text so that it has 200 bytes'

/** Text of a suite file with this many steps. */
export function writeSuite(suite: number, steps: number): string {
  return stringify({
    suite_name: `Suite ${suite}`,
    base_url: '{{base_url}}',
    variables: { token: `token-${suite}-0` },
    steps: listCalls(steps).map(({ name, method, path, headers, body, checks, captured }) => ({
      name,
      request: { method, url: path, headers, body },
      assert: { status_code: 200, body: checks },
      capture: { token: `body.${captured}` },
    })),
  })
}

/** Text of the equivalent test file, written by hand. */
export function writeTest(suite: number, steps: number): string {
  const tests = listCalls(steps).map(({ name, method, path, headers, body, checks, captured }) => {
    const lines = Object.entries(checks).map(([field, value]) => {
      const matcher = typeof value === 'string' ? 'toBe' : 'toEqual'
      return `    expect(${writeField(field)}).${matcher}(${writeValue(value)})`
    })
    return `  test('${name}', async () => {
    const response = await fetch(\`\${base}${path.replace('{{token}}', '${token}')}\`, {
      method: '${method}',
      headers: ${JSON.stringify(headers)},${body ? `\n      body: JSON.stringify(${writeValue(body)}),` : ''}
    })
    const body = await response.json()
    expect(response.status).toBe(200)
${lines.join('\n')}
    token = ${writeField(captured)}
  })
`
  })
  const head = `const base = process.env.BENCH_URL\nlet token = 'token-${suite}-0'\n`
  return wrapTests(suite, head, tests)
}

/** A test file with one `describe`. */
function wrapTests(suite: number, head: string, tests: readonly string[]): string {
  const imports = "import { afterAll, beforeAll, describe, expect, test } from 'vitest'"
  return `${imports}\n${head}\ndescribe('Suite ${suite}', () => {\n${tests.join('\n')}})\n`
}

/** The JavaScript expression for a field of an answer's body. */
function writeField(path: string): string {
  return `body${path
    .split('.')
    .map((name) => `['${name}']`)
    .join('')}`
}

function writeValue(value: unknown): string {
  return JSON.stringify(value).replaceAll('"{{token}}"', 'token')
}

/** The least code that does the same: one script, undici, one request after the other on keep-alive connections. */
export const FLOOR_SCRIPT = `import { deepStrictEqual, strictEqual } from 'node:assert'
import { request } from 'undici'

const [suites, steps] = process.argv.slice(2).map(Number)
const base = process.env.BENCH_URL
let passed = 0
for (let suite = 1; suite <= suites; suite++) {
  let token = \`token-\${suite}-0\`
  for (let number = 1; number <= steps; number++) {
    token = number % 2 === 1 ? await read(number, token) : await write(number, token)
    passed++
  }
}
console.log(\`Tests  \${passed} passed (\${passed})\`)

async function read(number, token) {
  const { statusCode, body } = await request(\`\${base}/get?page=\${number}&token=\${token}\`, {
    headers: { Accept: 'application/json', 'X-Trace-Id': \`trace-\${number}\` },
  })
  const { args, headers } = await body.json()
  strictEqual(statusCode, 200)
  strictEqual(args.page, String(number))
  strictEqual(args.token, token)
  strictEqual(headers['X-Trace-Id'], \`trace-\${number}\`)
  return args.token
}

async function write(number, token) {
  const { statusCode, body } = await request(\`\${base}/post\`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      token,
      user: { name: \`User \${number}\`, email: \`user\${number}@example.org\`, active: true },
      items: [1, 2, 3],
      note: '${NOTE}',
    }),
  })
  const { json } = await body.json()
  strictEqual(statusCode, 200)
  strictEqual(json.token, token)
  strictEqual(json.user.name, \`User \${number}\`)
  deepStrictEqual(json.items, [1, 2, 3])
  return json.token
}
`

/** Text of a suite whose steps mostly wait for the server. */
export function writeWaitingSuite(suite: number, steps: number): string {
  return stringify({
    suite_name: `Suite ${suite}`,
    base_url: '{{base_url}}',
    steps: Array.from({ length: steps }, (_, index) => ({
      name: `Step ${index + 1} waits`,
      request: { url: '/delay/0.1' },
      assert: { status_code: 200 },
    })),
  })
}

/** Text of the equivalent test file, written by hand. */
export function writeWaitingTest(suite: number, steps: number): string {
  const tests = Array.from(
    { length: steps },
    (_, index) => `  test('Step ${index + 1} waits', async () => {
    const response = await fetch(process.env.BENCH_URL + '/delay/0.1')
    expect(response.status).toBe(200)
  })
`,
  )
  return wrapTests(suite, '', tests)
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

/** An application that queries another service before it answers. */
export const APP = `import Koa from 'koa'

const app = new Koa()
app.use(async (ctx) => {
  const rate = await fetch(\`http://rates.example/EUR/\${ctx.query.to}\`)
  ctx.body = { id: ctx.query.id, rate: Number(await rate.text()) }
})
export default app.callback()
`

/** Text of a suite against that application in the same process, with the service mocked. */
export function writeAppSuite(suite: number, steps: number): string {
  return stringify({
    suite_name: `Suite ${suite}`,
    mocks: [{ url: 'http://rates.example/EUR/:to', respond: { body: '1.5' } }],
    steps: Array.from({ length: steps }, (_, index) => ({
      name: `Step ${index + 1} converts`,
      request: { url: `/convert?id=${index}&to=USD` },
      assert: { status_code: 200, body: { id: String(index), rate: 1.5 } },
    })),
  })
}

/** Text of the equivalent test file, written by hand with supertest and msw. */
export function writeAppTest(suite: number, steps: number): string {
  const tests = Array.from(
    { length: steps },
    (_, index) => `  test('Step ${index + 1} converts', async () => {
    const { status, body } = await request(app).get('/convert?id=${index}&to=USD')
    expect(status).toBe(200)
    expect(body.id).toBe('${index}')
    expect(body.rate).toBe(1.5)
  })
`,
  )
  const head = `import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import request from 'supertest'
import app from './app.ts'

const upstream = setupServer(http.get('http://rates.example/EUR/:to', () => HttpResponse.text('1.5')))
beforeAll(() => upstream.listen({ onUnhandledRequest: 'bypass' }))
afterAll(() => upstream.close())
`
  return wrapTests(suite, head, tests)
}
