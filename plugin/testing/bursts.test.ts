import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import resultSchema from '../../src/report/schema/suite-result.schema.json' with { type: 'json' }
import { createProject } from './fixtures/project.ts'

/** An application that accepts an idempotency key once, and reveals a secret in each response. */
const app = `import { createServer } from 'node:http'
const seen = new Map()
export default createServer((request, response) => {
  const key = request.headers['idempotency-key']
  const isNew = !seen.has(key)
  if (isNew) seen.set(key, seen.size + 1)
  response.writeHead(isNew ? 201 : 409, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ order: seen.get(key), token: 'tok-91af77', padding: 'x'.repeat(5000) }))
})
`

test('an idempotency key counts once in twenty requests at once; no answer shows its secrets, all are cut together', async () => {
  await using project = await createProject(
    {
      'src/app.ts': app,
      'orders.suite.yaml': `
suite_name: Orders
steps:
  - name: Order
    request: { method: POST, url: /orders, headers: { idempotency-key: '{{js: crypto.randomUUID()}}' } }
    burst: { times: 20 }
    assert:
      body.order: 1
      responses:
        - { where: { status_code: 201 }, count: 1 }
        - { where: { status_code: 409 }, count: 19 }
  - name: Broken promise
    request: { method: POST, url: /orders, headers: { idempotency-key: again } }
    burst: { times: 5, concurrent: 5 }
    assert: { responses: [{ where: { status_code: 201 }, count: 5 }] }
`,
    },
    { suites: "{ app: './src/app.ts', report: { har: true } }" },
  )
  const { output } = await project.run()
  expect(output).toContain('1 failed | 1 passed (2)')
  expect(output).toContain('the responses: ')
  expect(output).toContain('orders.suite.yaml:15:65')
  const { burst, assertions_results } = await project.step('orders', 'Order')
  expect(assertions_results).toHaveLength(3)
  expect(burst).toMatchObject({ times: 20, concurrent: 20 })
  const isResult = new Ajv({ validateFormats: false }).compile(resultSchema)
  expect([isResult(await project.result('orders')), isResult.errors]).toEqual([true, null])
  expect(burst?.responses.filter(({ status_code }) => status_code === 409)).toHaveLength(19)
  const text = JSON.stringify(burst)
  expect(text).not.toContain('tok-91af77')
  expect(text.length).toBeLessThan(120_000)
  expect(text).toContain('[cut: ')
  const { log } = JSON.parse(await project.read('.vitest/suitecase/report.har')) as {
    log: { entries: { comment: string; response: { headers: object[] } }[] }
  }
  expect(log.entries.map(({ comment, response }) => [comment, response.headers.length > 0])).toEqual([
    ['orders::step-1-order', true],
    ['orders::step-2-broken-promise', true],
  ])
})
