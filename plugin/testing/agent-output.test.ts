import { expect, test } from 'vitest'
import { createProject } from './fixtures/project.ts'

const suite = (status: number): string => `suite_name: S
base_url: '{{echo_url}}'
steps:
  - name: One
    request: { url: '/get?{{tokn}}' }
    assert: { status_code: ${status} }
`

/** The output of a run for an agent, without what varies between runs. */
async function run(status: number): Promise<string> {
  await using project = await createProject({ 's.suite.yaml': suite(status) })
  const { output } = await project.run('--reporter=agent')
  return output
    .replaceAll(project.root, '<root>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '<echo>')
    .replaceAll(/^ +(?:Start at|Duration) .*$/gm, '')
}

test('for an agent a green run says what Vitest says, and warnings in a line each', async () => {
  const output = await run(200)
  expect(output).toContain('Tests  1 passed (1)')
  expect(output).toMatch(/\n1 warning\ns\.suite\.yaml:5:29 warning: [^\n]+\n/)
  expect(output).not.toMatch(/Performance|Report|\^/)
})

test('for an agent a red run ends with the file that has its failures', async () => {
  const output = await run(404)
  expect(output).toMatch(/\nFailures: \.vitest\/suitecase\/failures\.json\n$/)
  expect(output).toContain('Expected `status_code` to be 404, got 200')
  expect(output).not.toMatch(/Performance|Report|\u001B/)
})
