import { expect, test } from 'vitest'
import { createProject } from './fixtures/project.ts'

const app = `export default async (request) => {
  const answer = await fetch('https://pay.example/charges', { method: 'POST', body: await request.text() })
  return new Response(await answer.text(), { status: answer.status })
}
`
const suite = `
suite_name: Pay
steps:
  - name: Pay
    request: { method: POST, url: /orders, body: { card: '4242' } }
    mocks:
      - url: https://pay.example/charges
        when: { body: { card: '{{crad}}' } }
        respond: { body: never }
      - url: https://pay.example/charges
        respond: { body: { id: 'ch_{{request.body.cart}}' } }
`

test('a `{{…}}` of a mock that has no value is a warning at its place', async () => {
  await using project = await createProject(
    { 'app.ts': app, 'pay.suite.yaml': suite },
    { suites: "{ app: './app.ts' }" },
  )
  const warned = await project.run()
  expect(warned.output).toMatch(/Tests {2}1 passed/)
  expect((await project.step('pay', 'Pay')).warnings).toEqual([
    { message: '`crad` has no value. It is compared as written.', line: 8, column: 32 },
    {
      message: '`request.body.cart` has no value. Did you mean `request.body.card`? It is sent as written.',
      line: 11,
      column: 36,
    },
  ])
})

test('with `unresolved: error` it fails the step, and the application gets no answer', async () => {
  await using project = await createProject(
    { 'app.ts': app, 'pay.suite.yaml': suite.replace('crad', 'request.body.card') },
    { suites: "{ app: './app.ts', unresolved: 'error' }" },
  )
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(output).toContain('`request.body.card` has no value. (pay.suite.yaml:8:32)')
  expect(output).toContain(
    '`request.body.cart` has no value. Did you mean `request.body.card`? (pay.suite.yaml:11:36)',
  )
  expect(output).toContain('❯ pay.suite.yaml:7:')
})
