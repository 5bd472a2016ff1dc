import { expect, test } from 'vitest'
import { createProject } from '../fixtures/project.ts'
import { listExamples } from './read-pages.ts'

const codeOf = (language: string, page: string): string[] =>
  listExamples(language, `docs/application/${page}.md`).map(({ code }) => code)

const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by)

/** What the examples request from an application: sessions of an hour, a cart, products, orders that are paid elsewhere. */
const app = `import { createServer } from 'node:http'
let since = 0
const read = async (request) => JSON.parse(Buffer.concat(await request.toArray()).toString() || 'null')
const pay = () => fetch('https://pay.example/v1/charges', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ amount: 3830, currency: 'EUR' }) })
const routes = {
  '/sessions': () => ((since = Date.now()), [201, { token: 't-1' }]),
  '/cart': () => (Date.now() - since > 3600000 ? [401, {}] : [200, {}]),
  '/products': () => [200, []],
  '/things': () => [200, { user: { id: '123e4567-e89b-42d3-a456-426614174000', name: 'ada' }, items: [{ sku: 'a' }], meta: { page: 1 } }],
  '/orders': async () => {
    const rates = await fetch('http://rates.example/latest').catch(() => undefined)
    let answer = await pay()
    if (answer.status === 503) answer = await pay()
    return [201, { payment: (await answer.json()).id, rate: (await rates?.json())?.rate }]
  },
}
export default createServer(async (request, response) => {
  await read(request)
  const [status, body] = await routes[new URL(request.url, 'http://localhost').pathname]()
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
`

const order = `suite_name: S
steps:
  - name: Order
    request: { method: POST, url: /orders }
    assert: { status_code: 201 }
`

test('the examples on applications, mocks and the clock run as they are written', async () => {
  const [config = '', replacing = ''] = codeOf('ts', 'application')
  const emptying = codeOf('ts', 'extend').find((code) => code.includes('BEGIN')) ?? ''
  const [pay = '', ...mocks] = codeOf('yaml', 'mocks')
  const [forbidden = '', recovering = ''] = ['times: 0', 'status: 503'].map((part) =>
    mocks.find((code) => code.includes(part)),
  )
  const [clock = ''] = codeOf('yaml', 'clock')
  const rates = "mocks:\n  - { url: 'http://rates.example/*', respond: { body: {} } }\n"
  await using project = await createProject({
    'vitest.config.ts': config
      .replace('src/app.ts', 'src/app.tests.ts')
      .replace('suites({', "suites({ extend: './suitecase.extend.ts',"),
    'src/app.ts': `import { send } from './mailer.ts'
import db from './db.ts'
${app.replace('routes = {', "$&\n  '/mail': () => [200, [send(), ...db.queries]],")}`,
    'src/app.tests.ts': replacing,
    'src/mailer.ts': "export const send = () => 'really sent'",
    'src/db.ts': 'export default { queries: [], query(text) { this.queries.push(text) } }',
    'suitecase.extend.ts': emptying,
    'mail.suite.yaml': `suite_name: Mail
steps:
  - name: Fake, and in a transaction
    request: { url: /mail }
    assert: { body: { '[0]': sent, '[-1]': BEGIN } }
`,
    'pay.suite.yaml': `suite_name: Pay\n${rates}${pay}`,
    'forbidden.suite.yaml': `${order.replace('POST, url: /orders', 'GET, url: /products').replace('201', '200')}${indent(forbidden, '    ')}`,
    'recovering.suite.yaml': `${rates}${order}${indent(recovering, '    ')}`,
    'clock.suite.yaml': clock,
  })
  const { code, output } = await project.run()
  expect(output).toMatch(/Tests {2}6 passed/)
  expect(code).toBe(0)
})

test('the examples of suites in TypeScript run as they are written', async () => {
  const [profile = '', checks = '', builder = '', mocks = ''] = codeOf('ts', 'define-suite')
  const head = "import { defineSuite } from 'suitecase'\n"
  await using project = await createProject(
    {
      'src/app.ts': app,
      'profile.test.ts': profile,
      'checks.test.ts': `${head}import { z } from 'zod'
const Item = z.object({ sku: z.string() })
defineSuite({ suite_name: 'Checks', steps: [{ name: 'Things', request: { url: '/things' }, ${checks.trim()} }] })`,
      'builder.test.ts': builder,
      'mocks.test.ts': `${head}import { http, HttpResponse } from 'msw'
const charge = async (request) => ({ id: 'ch_' + (await request.json()).amount })
defineSuite({ suite_name: 'Mocks', ${mocks.trim()}, steps: [
  { name: 'Order', request: { method: 'POST', url: '/orders' }, assert: { body: { payment: 'ch_3830', rate: 2 } } },
] })`,
    },
    { suites: "{ app: './src/app.ts' }", test: "{ pool: 'threads', isolate: false }" },
  )
  const { code, output } = await project.run()
  expect(output).toMatch(/Tests {2}6 passed/)
  expect(code).toBe(0)
})
