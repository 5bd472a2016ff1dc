import { expect, test } from 'vitest'
import { createProject } from './fixtures/project.ts'

// Releases without this flag always behave as if it were set.
const flag = '--no-async-context-frame'

test('suites with expressions run where Node keeps async contexts on promises, as it does before release 24', async () => {
  await using project = await createProject(
    {
      'app.ts': `export default async () => async (request, response) => {
  const answer = await fetch('http://upstream.test/price')
  response.setHeader('content-type', 'application/json').end(await answer.text())
}
`,
      'a.suite.yaml': `
suite_name: A
mocks: [{ url: 'http://upstream.test/price', respond: { body: { price: 7 } } }]
steps:
  - name: Ask
    request: { url: '/?x={{js: [1, 2].map((n) => n * 2).join()}}' }
    assert: { body.price: 7, custom: [{ name: seven, condition: body.price === 7 }] }
  - name: Ask again
    request: { url: '/?x={{js: new Date(0).toISOString()}}' }
    assert: { body.price: '{{js: 3 + 4}}' }
`,
    },
    {
      suites: `{ app: './app.ts' }`,
      env: process.allowedNodeEnvironmentFlags.has(flag) ? { NODE_OPTIONS: flag } : {},
    },
  )
  const { code, output } = await project.run()
  expect(output).toContain('Tests  2 passed (2)')
  expect(code).toBe(0)
})
