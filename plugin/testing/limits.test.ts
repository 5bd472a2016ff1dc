import { expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createSuiteProject } from './fixtures/suite-project.ts'

test('a suite that takes too long fails in the step it is in, skips the rest and runs its teardown', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createSuiteProject(
    {
      'long.suite.yaml': `
suite_name: Long
base_url: ${echo.url}
steps:
  - name: Repeats
    retry: { max_attempts: 1000, base_delay_ms: 300, backoff: fixed }
    request: { url: /status/503 }
    assert: { status_code: 200 }
  - name: After
    request: { url: /anything/after }
teardown:
  - name: Clean up
    request: { url: /anything/cleanup }
`,
      'hang.suite.yaml': `
suite_name: Hang
base_url: ${echo.url}
steps:
  - name: Hangs
    request: { url: /delay/9 }
`,
    },
    { suites: '{ limits: { suite: 1000 } }' },
  )
  const { code } = await project.run()
  expect(code).toBe(1)
  const limit =
    'the suite took longer than 1000 ms. Raise the option `limits.suite`, or make two suites of it.'
  expect((await project.step('long', 'Repeats')).error_message).toContain(`The step was stopped: ${limit}`)
  expect((await project.step('long', 'After')).skip_reason).toContain(limit)
  expect((await project.step('long', 'Clean up')).status).toBe('success')
  expect((await project.step('hang', 'Hangs')).error_message).toContain(limit)
  expect(echo.count('/anything/after')).toBe(0)
})

test('what a server may answer has limits that options set', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createSuiteProject(
    {
      'answers.suite.yaml': `
suite_name: Answers
base_url: ${echo.url}
steps:
  - name: Head
    request: { url: '/response-headers?x=${'a'.repeat(600)}' }
  - name: Encodings
    request: { url: /gzip }
  - name: Body
    request: { url: /bytes/2000 }
`,
    },
    { suites: '{ limits: { head: 500, encodings: 0, body: 1000 } }' },
  )
  expect((await project.run()).code).toBe(1)
  const names = { Head: 'head', Encodings: 'encodings', Body: 'body' }
  for (const [step, limit] of Object.entries(names))
    expect((await project.step('answers', step)).error_message).toContain(
      `The option \`limits.${limit}\` raises`,
    )
})

test('waiting for a suite that does not end is bounded', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createSuiteProject(
    {
      'a.suite.yaml': `
suite_name: Slow
node_id: slow
base_url: ${echo.url}
exports: [x]
steps:
  - name: Hangs
    request: { url: /delay/9 }
    capture: { x: body.url }
teardown:
  - name: Slow end
    request: { url: /delay/6 }
`,
      'b.suite.yaml': `
suite_name: Waits
base_url: ${echo.url}
steps:
  - name: Wait
    request: { url: '/anything/{{slow.x}}' }
`,
    },
    { suites: '{ concurrency: 2, limits: { suite: 1500 } }' },
  )
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(output).toMatch(
    /The suite `slow`, which this one reads, did not end within \d+ ms \(option `limits\.suite`\)/,
  )
})

test('a worker that dies frees those who wait for its suite', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createSuiteProject(
    {
      'a.suite.yaml': `
suite_name: Dies
node_id: dies
base_url: ${echo.url}
exports: [x]
steps:
  - name: Hangs
    request: { url: /delay/9 }
    capture: { x: body.url }
`,
      'b.suite.yaml': `
suite_name: Waits
base_url: ${echo.url}
steps:
  - name: Wait
    request: { url: '/anything/{{dies.x}}' }
`,
      'killer.test.ts': `
import { expect, test } from 'vitest'
test('ok', () => expect(1).toBe(1))
`,
      'setup.ts': `
import { expect } from 'vitest'
if (expect.getState().testPath?.endsWith('a.suite.yaml')) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1500)
`,
    },
    { suites: '{ concurrency: 2 }', test: "{ setupFiles: ['./setup.ts'] }" },
  )
  const { code } = await project.run()
  expect(code).toBe(1)
  expect((await project.step('b', 'Wait')).skip_reason).toBe(
    'needs the suite `dies`: its worker ended before the suite did',
  )
  expect((await project.result('dies')).status).toBe('failure')
})

test('the limits of paths, `each` and generated data are options, which the failures name', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createSuiteProject(
    {
      'slow.suite.yaml': `
suite_name: Slow
base_url: ${echo.url}
steps:
  - name: Path
    request: { method: POST, url: /anything, body: '{{list}}', headers: { content-type: application/json } }
    capture: { never: 'body.json[?contains($.body.json, @ + \`0.5\`)]' }
  - name: Each
    request: { method: POST, url: /anything, body: '{{list}}', headers: { content-type: application/json } }
    assert: { body: { json: { each: { greater_than: -1 } } } }
  - name: Faker
    request: { url: '/anything/{{$faker.lorem.words(1000000000)}}' }
`,
    },
    {
      suites:
        '{ variables: { list: Array.from({ length: 4000 }, (_, index) => index) }, limits: { expression: 50, each: 1 } }',
    },
  )
  expect((await project.run()).code).toBe(1)
  expect((await project.step('slow', 'Path')).error_message).toContain('50 ms (option `limits.expression`)')
  expect((await project.step('slow', 'Each')).error_message).toContain('1 ms (option `limits.each`)')
  expect((await project.step('slow', 'Faker')).error_message).toContain('50 ms (option `limits.expression`)')
})
