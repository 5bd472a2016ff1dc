import { expect, test } from 'vitest'
import { runText } from './fixtures/run-text.ts'

test.each([
  ['skip: true', 'skip: true'],
  ['skip: variables.stage === "prod"', 'skip: variables.stage === "prod"'],
  ['skip: { when: variables.stage === "prod", reason: not on production }', 'not on production'],
])('a step with `%s` is skipped for the reason that is given, or the condition', async (skip, reason) => {
  const { outcomes } = await runText(`suite_name: S
node_id: s
variables: { stage: prod }
steps:
  - name: Left out
    ${skip}
    request: { url: 'http://localhost:1/' }
`)
  expect(outcomes['Left out']?.result).toMatchObject({ status: 'skipped', skip_reason: reason })
})

test('a condition that is not true or false fails the step', async () => {
  const { outcomes } = await runText(`suite_name: S
node_id: s
variables: { stage: prod }
steps:
  - name: Unclear
    skip: variables.stage
    request: { url: 'http://localhost:1/' }
`)
  expect(outcomes['Unclear']?.result).toMatchObject({
    status: 'failure',
    error_message: 'Expected `skip: variables.stage` to be true or false, got "prod".',
  })
})
