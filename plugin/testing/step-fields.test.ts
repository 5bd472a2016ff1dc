import { expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'

test('steps have tags, variables of their own, reasons to be skipped, and may be still to do', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': `
suite_name: A
base_url: ${echo.url}
metadata: { tags: [all] }
variables: { base: 1, stage: prod, id: suite }
steps:
  - name: Own
    tags: [slow]
    variables: { id: '{{js: variables.base + 1}}' }
    request: { url: '/anything/{{id}}' }
    capture: { seen: body.url }
  - name: Suite again
    request: { url: '/anything/{{id}}' }
  - name: Left out
    skip: { when: stage === 'prod', reason: not on production }
    request: { url: /anything/left-out }
  - name: Cancel
    todo: true
  - name: Broken
    variables: { x: '{{nowhere}}' }
    request: { url: /anything/broken }
`,
  })
  const { output } = await project.run()
  expect(output).toContain('1 failed | 2 passed | 1 skipped | 1 todo (5)')
  expect(output).toContain("The step's variable `x` has no value")
  expect(echo.paths()).toEqual(['/anything/2', '/anything/suite'])
  expect((await project.step('a', 'Left out')).skip_reason).toBe('not on production')
  expect(await project.step('a', 'Cancel')).toMatchObject({ status: 'skipped', skip_reason: 'todo' })
  expect((await project.step('a', 'Own')).available_variables).toMatchObject({ id: 2 })
  const slow = await project.run('--tags-filter=slow')
  expect(slow.output).toContain('1 passed | 4 skipped')
})

test('settings may be durations and templates; what cannot be used fails the step', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': `
suite_name: A
base_url: ${echo.url}
timeout: '{{patience}}'
variables: { patience: 300ms, tries: 3, pages: 2, wait: 1ms, never: soon }
steps:
  - name: Slow
    request: { url: /delay/2 }
  - name: Patient
    request: { url: /delay/1, timeout: 30s }
  - name: Tries
    retry: { max_attempts: '{{tries}}', base_delay_ms: '{{wait}}', on: [5xx] }
    request: { url: /status/503 }
  - name: Not this class
    retry: { max_attempts: 3, base_delay_ms: 1ms, on: [5xx] }
    request: { url: /status/404 }
  - name: Pages
    iterate: { range: '1..{{pages}}', as: page }
    delay_ms: '{{wait}}'
    request: { url: '/anything/{{page}}' }
  - name: Wrong
    delay_ms: '{{never}}'
    request: { url: /anything/wrong }
`,
  })
  await project.run()
  expect(await project.step('a', 'Slow')).toMatchObject({
    status: 'failure',
    error_message: expect.stringContaining('300 ms') as string,
  })
  expect((await project.step('a', 'Patient')).status).toBe('success')
  expect(echo.count('/status/503')).toBe(3)
  expect(echo.count('/status/404')).toBe(1)
  expect([echo.count('/anything/1'), echo.count('/anything/2')]).toEqual([1, 1])
  expect((await project.step('a', 'Wrong')).error_message).toBe(
    'Expected `delay_ms: {{never}}` to be milliseconds or a duration such as `5s`, got `"soon"` (string).',
  )
})
