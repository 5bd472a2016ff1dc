// The same requests and checks as a suite, as a hand-written test file and as a plain script. Steps alternate: a GET with two
// headers and a query, a POST with 200 bytes of JSON; each checks the status and three fields and captures a value for the next.

/** Text of a suite file with this many steps. */
export function writeSuite(suite: number, steps: number): string {
  const parts = Array.from({ length: steps }, (_, index) =>
    index % 2 === 0 ? writeGetStep(index + 1) : writePostStep(index + 1),
  )
  return `suite_name: Suite ${suite}
base_url: '{{base_url}}'
variables:
  token: token-${suite}-0

steps:
${parts.join('\n')}`
}

function writeGetStep(number: number): string {
  return `  - name: Step ${number} reads
    request:
      method: GET
      url: /get?page=${number}&token={{token}}
      headers:
        Accept: application/json
        X-Trace-Id: trace-${number}
    assert:
      status_code: 200
      body:
        args.page: '${number}'
        args.token: '{{token}}'
        headers.X-Trace-Id: trace-${number}
    capture:
      token: body.args.token
`
}

function writePostStep(number: number): string {
  return `  - name: Step ${number} writes
    request:
      method: POST
      url: /post
      headers:
        Content-Type: application/json
      body:
        token: '{{token}}'
        user: { name: User ${number}, email: user${number}@example.org, active: true }
        items: [1, 2, 3]
        note: ${NOTE}
    assert:
      status_code: 200
      body:
        json.token: '{{token}}'
        json.user.name: User ${number}
        json.items: [1, 2, 3]
    capture:
      token: body.json.token
`
}

const NOTE = 'Sixty characters of ordinary text so that it has 200 bytes'

/** Text of the test file that one would write by hand instead. */
export function writeTest(suite: number, steps: number): string {
  const parts = Array.from({ length: steps }, (_, index) => {
    const [name, request, checks, captured] = writeCall(index + 1)
    return `  test('${name}', async () => {
    const response = await fetch(${request})
    const body = await response.json()
    expect(response.status).toBe(200)
${checks.map(([field, expected]) => `    expect(body.${field}).${typeof expected === 'string' && expected.startsWith('[') ? 'toEqual' : 'toBe'}(${expected})`).join('\n')}
    token = body.${captured}
  })
`
  })
  return `import { describe, expect, test } from 'vitest'

const base = process.env.BENCH_URL

describe('Suite ${suite}', () => {
  let token = 'token-${suite}-0'

${parts.join('\n')}})
`
}

type Call = [name: string, request: string, checks: [field: string, expected: string][], captured: string]

function writeCall(number: number): Call {
  if (number % 2 === 1)
    return [
      `Step ${number} reads`,
      `\`\${base}/get?page=${number}&token=\${token}\`, {
      headers: { Accept: 'application/json', 'X-Trace-Id': 'trace-${number}' },
    }`,
      [
        ['args.page', `'${number}'`],
        ['args.token', 'token'],
        [`headers['X-Trace-Id']`, `'trace-${number}'`],
      ],
      'args.token',
    ]
  return [
    `Step ${number} writes`,
    `\`\${base}/post\`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        token,
        user: { name: 'User ${number}', email: 'user${number}@example.org', active: true },
        items: [1, 2, 3],
        note: '${NOTE}',
      }),
    }`,
    [
      ['json.token', 'token'],
      ['json.user.name', `'User ${number}'`],
      ['json.items', '[1, 2, 3]'],
    ],
    'json.token',
  ]
}

/** The least that does the same: one script, undici, one request after the other on kept-alive connections. */
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

/** Text of a suite whose steps wait for the server most of the time. */
export function writeWaitingSuite(suite: number, steps: number): string {
  const parts = Array.from(
    { length: steps },
    (_, index) => `  - name: Step ${index + 1} waits
    request: { url: /delay/0.1 }
    assert: { status_code: 200 }
`,
  )
  return `suite_name: Suite ${suite}\nbase_url: '{{base_url}}'\nsteps:\n${parts.join('')}`
}

/** Text of the test file that one would write by hand instead. */
export function writeWaitingTest(suite: number, steps: number): string {
  const parts = Array.from(
    { length: steps },
    (_, index) => `  test('Step ${index + 1} waits', async () => {
    const response = await fetch(process.env.BENCH_URL + '/delay/0.1')
    expect(response.status).toBe(200)
  })
`,
  )
  return `import { describe, expect, test } from 'vitest'\n\ndescribe('Suite ${suite}', () => {\n${parts.join('')}})\n`
}

/** Text of a suite that reads what the one before it captured, and hands it on. */
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
