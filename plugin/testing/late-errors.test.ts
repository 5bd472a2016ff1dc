import { expect, test } from 'vitest'
import { createSuiteProject } from './fixtures/suite-project.ts'

const app = `export default () => async (request, response) => {
  if (request.url === '/throws') throw new Error('nobody catches this')
  if (request.url === '/exits') process.exit(3)
  if (request.url === '/late') setTimeout(() => { throw new Error('after the answer') }, 5)
  setTimeout(() => response.end('{}'), 20)
}
`
const suite = `
suite_name: Late
steps:
  - { name: Throws, request: { url: /throws } }
  - { name: Exits, request: { url: /exits } }
  - { name: Too late, request: { url: /late } }
  - { name: After, request: { url: / }, assert: { status_code: 200 } }
`

test('an error that nobody handled fails the step it came in, which does not wait for an answer until its limit', async () => {
  await using project = await createSuiteProject(
    { 'app.ts': app, 'late.suite.yaml': suite },
    { suites: "{ app: './app.ts', timeout: 60000 }" },
  )
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(output).toMatch(/Tests {2}3 failed \| 1 passed/)
  for (const [name, message] of [
    ['Throws', 'nobody catches this'],
    ['Exits', 'process.exit unexpectedly called with "3"'],
    ['Too late', 'after the answer'],
  ] as const) {
    const { error_message } = await project.step('late', name)
    expect(error_message).toContain(`The application threw an error that nobody handled: Error: ${message}`)
  }
  const stopped = (await project.step('late', 'Throws')).error_message
  expect(stopped).toContain('no answer came within 1000 ms of that error')
  expect((await project.step('late', 'Too late')).response_details?.status_code).toBe(200)
})
