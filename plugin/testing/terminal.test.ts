import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpServer } from '../../src/request/fixtures/http-server.ts'
import { startApi } from './fixtures/plain-api.ts'
import { steady } from './fixtures/steady-output.ts'
import { createProject, type Project } from './fixtures/project.ts'

const serial = { suites: '{ concurrency: 1 }' }

const suite = (name: string, url: string, steps: string): string =>
  `suite_name: ${name}\nbase_url: ${url}\nvariables: { token: secret-token-1 }\nsteps:\n${steps}`

describe('failures and warnings', () => {
  let api: HttpServer
  let project: Project
  let shown: string

  beforeAll(async () => {
    api = await startApi()
    const numbers = '{{js: Array.from({ length: 1000 }, (_, index) => index)}}'
    project = await createProject(
      {
        'rename.suite.yaml': suite(
          'Users',
          api.url,
          '  - name: Rename\n    request: { method: PUT, url: /users/7, headers: { x-trace: abc, authorization: "Bearer {{token}}" }, body: { name: alice } }\n    assert: { body: { name: alice } }\n',
        ),
        'wait.suite.yaml': suite(
          'Jobs',
          api.url,
          '  - name: Wait\n    request: { url: /status/503 }\n    retry: { max_attempts: 3, base_delay_ms: 1 }\n    assert: { status_code: 200 }\n',
        ),
        'send.suite.yaml': suite(
          'Tags',
          '"{{echo_url}}"',
          '  - name: Send\n    request: { method: POST, url: /status/400, body: [b, a] }\n    assert: { status_code: 200 }\n',
        ),
        'each.suite.yaml': suite(
          'Users',
          api.url,
          '  - name: Codes\n    request: { url: "/status/{{code}}" }\n    capture: { codes: body.codes }\n  - name: Each\n    iterate: { over: "{{codes}}", as: code }\n    request: { url: "/status/{{code}}" }\n    assert: { status_code: 200, body: { tags: [b, a], name: bob } }\n',
        ).replace('variables: {', 'variables: { code: 200,'),
        'many.suite.yaml': suite(
          'Users',
          api.url,
          `  - name: Many\n    request: { url: /status/200 }\n    assert: { body: { tags: '${numbers}' } }\n`,
        ),
        'warned.suite.yaml': suite(
          'Warned',
          api.url,
          '  - name: Misspelt\n    request: { url: "/{{tokn}}/{{$env.SUITECASE_UNSET}}" }\n    assert: { status_code: 200 }\n',
        ),
        'busy.suite.yaml': suite(
          'Busy',
          api.url,
          '  - name: Busy\n    request: { url: "/status/503?{{$env.SUITECASE_UNSET}}" }\n    retry: { max_attempts: 2, base_delay_ms: 1, on: [503] }\n',
        ),
        'branches.suite.yaml': suite(
          'Branches',
          api.url,
          '  - name: Branch\n    request: { url: / }\n    scenarios:\n      - name: Created\n        condition: status_code == 201\n        then: { capture: { user: body.id } }\n        else: { assert: { status_code: 200 } }\n  - name: Reader\n    request: { url: "/users/{{user}}" }\n  - name: With a default\n    request: { url: "/users/{{user || 1}}" }\n    assert: { status_code: 200 }\n',
        ),
        'typed.test.ts': `import { defineSuite } from 'suitecase'\ndefineSuite({\n  suite_name: 'Typed',\n  base_url: '${api.url}',\n  steps: [\n    { name: 'One', debug: true, request: { url: '/' }, assert: { status_code: 201, body: { name: 'alice' } } },\n  ],\n})\n`,
      },
      serial,
    )
    shown = steady((await project.run()).ordered, project.root)
  })
  afterAll(async () => {
    await project[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  const readFailures = (file: string): string =>
    [...shown.matchAll(/^ FAIL (.*?)(?=\n+⎯)/gms)]
      .flatMap(([, text = '']) => (text.includes(` ${file}:`) ? text : []))
      .join('\n\n')

  test('a failed step shows once what was sent, what came back, what was expected and how to send it again', () => {
    expect(readFailures('rename.suite.yaml')).toMatchInlineSnapshot(`
      " |suites| rename.suite.yaml:5 > Users > Rename
      AssertionError: Expected \`body.name\` to equal \`"alice"\` (string), got \`"bob"\` (string)

      PUT http://127.0.0.1:<port>/users/7 → 200 OK, application/json
        {"id":7,"name":"bob","tags":["a","b"],"codes":[200,500],"note":"\\u001b[31m"}

        curl -X PUT 'http://127.0.0.1:<port>/users/7' -H 'content-type: application/json' -H 'x-trace: abc' -H 'authorization: [redacted]' --data-raw '{"name":"alice"}'

       ❯ rename.suite.yaml:7:29
            5|   - name: Rename
            6|     request: { method: PUT, url: /users/7, headers: { x-trace: abc, authorization: "Bearer {{token}}" }, body: { name: a…
            7|     assert: { body: { name: alice } }
             |                             ^"
    `)
    expect(readFailures('wait.suite.yaml')).toMatchInlineSnapshot(`
      " |suites| wait.suite.yaml:5 > Jobs > Wait
      AssertionError: Expected \`status_code\` to be 200, got 503

      GET http://127.0.0.1:<port>/status/503
        attempt 1: 503
        attempt 2: 503
        attempt 3: 503
      → 503 Service Unavailable, application/json
        {"id":7,"name":"bob","tags":["a","b"],"codes":[200,500],"note":"\\u001b[31m"}

        curl 'http://127.0.0.1:<port>/status/503'

       ❯ wait.suite.yaml:8:28
            6|     request: { url: /status/503 }
            7|     retry: { max_attempts: 3, base_delay_ms: 1 }
            8|     assert: { status_code: 200 }
             |                            ^
            9|"
    `)
    expect(readFailures('send.suite.yaml')).toMatchInlineSnapshot(`
      " |suites| send.suite.yaml:5 > Tags > Send
      AssertionError: Expected \`status_code\` to be 200, got 400

      POST http://127.0.0.1:<port>/status/400
        ["b","a"]
      → 400 Bad Request, text/html; charset=utf-8

        npx vitest run send.suite.yaml:5

       ❯ send.suite.yaml:7:28
            5|   - name: Send
            6|     request: { method: POST, url: /status/400, body: [b, a] }
            7|     assert: { status_code: 200 }
             |                            ^
            8|"
    `)
  })

  test('only the first lines of a long difference are shown', () => {
    expect(readFailures('many.suite.yaml')).toMatch(/\n-   39\d,\n {2}… 6\d\d more lines\n\n {2}curl /)
  })

  test('of several failed checks the first tells the answer and the last the command; an iteration is named in each', () => {
    expect(readFailures('each.suite.yaml')).toMatchInlineSnapshot(`
      " |suites| each.suite.yaml:8 > Users > Each
      AssertionError: Iteration 1 (code = 200): Expected \`body.tags\` to equal the given array; 2 differences:
        \`body.tags[0]\`: expected \`"b"\` (string), got \`"a"\` (string)
        \`body.tags[1]\`: expected \`"a"\` (string), got \`"b"\` (string)

      GET http://127.0.0.1:<port>/status/200 → 200 OK, application/json
        {"id":7,"name":"bob","tags":["a","b"],"codes":[200,500],"note":"\\u001b[31m"}

      - Expected
      + Received

        [
      -   "b",
          "a",
      +   "b",
        ]

        curl 'http://127.0.0.1:<port>/status/200'

       ❯ each.suite.yaml:11:47
            9|     iterate: { over: "{{codes}}", as: code }
           10|     request: { url: "/status/{{code}}" }
           11|     assert: { status_code: 200, body: { tags: [b, a], name: bob } }
             |                                               ^
           12|

       |suites| each.suite.yaml:8 > Users > Each
      AssertionError: Iteration 2 (code = 500): Expected \`status_code\` to be 200, got 500
      Also: Expected \`body.tags\` to equal the given array; 2 differences

      GET http://127.0.0.1:<port>/status/500 → 500 Internal Server Error, application/json
        {"id":7,"name":"bob","tags":["a","b"],"codes":[200,500],"note":"\\u001b[31m"}

        curl 'http://127.0.0.1:<port>/status/500'

       ❯ each.suite.yaml:11:28
            9|     iterate: { over: "{{codes}}", as: code }
           10|     request: { url: "/status/{{code}}" }
           11|     assert: { status_code: 200, body: { tags: [b, a], name: bob } }
             |                            ^
           12|"
    `)
  })

  test('a suite in TypeScript shows the same', () => {
    expect(shown).toMatch(/^stdout \| typed\.test\.ts:6 > Typed > One\nGET /m)
    expect(readFailures('typed.test.ts')).toMatchInlineSnapshot(`
      " typed.test.ts:6 > Typed > One
      AssertionError: Expected \`status_code\` to be 201, got 200
      Also: Expected \`body.name\` to equal \`"alice"\` (string), got \`"bob"\` (string)

      GET http://127.0.0.1:<port>/ → 200 OK, application/json
        {"id":7,"name":"bob","tags":["a","b"],"codes":[200,500],"note":"\\u001b[31m"}

        curl 'http://127.0.0.1:<port>/'

       ❯ typed.test.ts:6:79
            4|   base_url: 'http://127.0.0.1:<port>',
            5|   steps: [
            6|     { name: 'One', debug: true, request: { url: '/' }, assert: { statu…
             |                                                                               ^
            7|   ],
            8| })"
    `)
  })

  test('warnings come after the tests with their lines, each once with its places; what failed on a retry or was not captured is told', async () => {
    // Warnings go to a different stream from the rest, which may be faster.
    expect(/^\d+ warnings[\s\S]*?(?=\n\n\n|\s*(?![\s\S]))/m.exec(shown)?.[0]).toMatchInlineSnapshot(`
      "3 warnings

      busy.suite.yaml:6:36 warning: \`$env.SUITECASE_UNSET\` has no value: there is no such environment variable. Set it in the shell or in a \`.env\` file, or give it a default: \`{{$env.SUITECASE_UNSET || 'x'}}\`.
        4 | steps:
        5 |   - name: Busy
      > 6 |     request: { url: "/status/503?{{$env.SUITECASE_UNSET}}" }
          |                                    ^^^^^^^^^^^^^^^^^^^^
        7 |     retry: { max_attempts: 2, base_delay_ms: 1, on: [503] }

      warned.suite.yaml:6:25 warning: Nothing gives \`tokn\` a value: \`tokn\` is not a variable or capture here, nor a node id. Did you mean \`token\`?
        4 | steps:
        5 |   - name: Misspelt
      > 6 |     request: { url: "/{{tokn}}/{{$env.SUITECASE_UNSET}}" }
          |                         ^^^^
        7 |     assert: { status_code: 200 }

      warned.suite.yaml:6:34 warning: \`$env.SUITECASE_UNSET\` has no value: there is no such environment variable. Set it in the shell or in a \`.env\` file, or give it a default: \`{{$env.SUITECASE_UNSET || 'x'}}\`.
        4 | steps:
        5 |   - name: Misspelt
      > 6 |     request: { url: "/{{tokn}}/{{$env.SUITECASE_UNSET}}" }
          |                                  ^^^^^^^^^^^^^^^^^^^^
        7 |     assert: { status_code: 200 }"
    `)
    const { skip_reason } = await project.step('branches', 'Reader')
    expect(skip_reason).toMatch(/^needs `user`, which “Branch” \(line 5\) did not capture/)
    expect((await project.step('branches', 'With a default')).status).toBe('success')
    const busy = await project.step('busy', 'Busy')
    expect(busy.assertions_results.at(-1)).toMatchObject({ field: 'retry', actual: 503, passed: false })
  })
})

test('`unresolved: error` refuses when the suite is loaded what can be known then, and mocks need an application', async () => {
  await using api = await startApi()
  await using project = await createProject(
    {
      'a.suite.yaml': suite('A', api.url, '  - name: One\n    request: { url: "/{{tokn}}" }\n'),
      'b.suite.yaml': suite(
        'B',
        api.url,
        '  - name: One\n    request: { url: "/{{late}}" }\n  - name: Two\n    request: { url: / }\n    capture: { late: body.id }\n',
      ),
      'd.suite.yaml': suite(
        'D',
        api.url,
        '  - name: One\n    request: { url: "/{{$env.SUITECASE_UNSET}}" }\n',
      ),
      'c.suite.yaml': suite(
        'C',
        api.url,
        '  - name: One\n    request: { url: / }\n    mocks: [{ url: "http://upstream.test/", respond: { status: 200 } }]\n',
      ),
    },
    { suites: "{ unresolved: 'error', concurrency: 1 }" },
  )
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(output).toMatch(/Tests {2}no tests/)
  expect(output.match(/^(?:SuiteError: |).*suite\.yaml:\d+:\d+ error.*\n.*/gm)?.join('\n'))
    .toMatchInlineSnapshot(`
      "SuiteError: a.suite.yaml:6:25 error unknown-variable: Nothing gives \`tokn\` a value: \`tokn\` is not a variable or capture here, nor a node id.
        hint: Did you mean \`token\`?
      SuiteError: b.suite.yaml:6:25 error unknown-variable: \`late\` is captured only later, by \`Two\` on line 7.
        hint: Move that step up, or capture the value earlier.
      SuiteError: c.suite.yaml:7:13 error bad-value: These mocks answer nothing: there is no application under test.
        hint: Name its module in the option \`app\`, or remove this.
      SuiteError: d.suite.yaml:6:25 error unknown-variable: \`$env.SUITECASE_UNSET\` has no value: there is no such environment variable.
        hint: Set it in the shell or in a \`.env\` file, or give it a default: \`{{$env.SUITECASE_UNSET || 'x'}}\`."
    `)
})

test('`debug` and SUITECASE_DEBUG print request and answer of steps that pass, of a called step, or one of another suite, at the step that it runs for', async () => {
  await using api = await startApi()
  const steps = '  - name: One\n    request: { url: /a }\n  - name: Two\n    request: { url: /b }\n'
  const given = '  - name: One\n    debug: true\n    request: { url: /given }\n    capture: { id: body.id }\n'
  await using project = await createProject(
    {
      'a.suite.yaml': suite('A', api.url, steps.replace('One', '$&\n    debug: true')),
      'b.suite.yaml': suite('B', api.url, steps),
      'c.suite.yaml': suite('C', api.url, '  - name: Calls\n    call: { suite: given }\n'),
      'd.suite.yaml': suite('D', api.url, "  - name: Reads\n    request: { url: '/{{given.id}}' }\n"),
      'given.suite.yaml': suite('Given', api.url, given).replace('steps:', 'exports: [id]\nsteps:'),
    },
    { ...serial, env: { SUITECASE_DEBUG: 'b' } },
  )
  const { output } = await project.run('a.suite', 'b.suite', 'c.suite', 'd.suite')
  expect(/^stdout \|[\s\S]*?\n\n/m.exec(steady(output, project.root))?.[0]).toMatchInlineSnapshot(`
    "stdout | a.suite.yaml:5 > A > One
    GET http://127.0.0.1:<port>/a
      host: 127.0.0.1:<port>
      connection: keep-alive
      user-agent: suitecase/0.1.0
      accept: */*
      accept-encoding: gzip, deflate, br
    → 200 OK, application/json
      content-type: application/json
      Date: <date>
      Connection: keep-alive
      Keep-Alive: timeout=5
      Transfer-Encoding: chunked
      {"id":7,"name":"bob","tags":["a","b"],"codes":[200,500],"note":"\\u001b[31m"}

    "
  `)
  const printed = Array.from(output.matchAll(/^stdout \|.* > (\w > \w+)\nGET .*(\/\w+)$/gm))
  expect(printed.map(([, place, path]) => `${place}: ${path}`).toSorted()).toEqual([
    'A > One: /a',
    'B > One: /a',
    'B > Two: /b',
    'C > Calls: /given',
    'D > Reads: /given',
  ])
  expect(output.match(/^stdout/gm)).toHaveLength(5)
})

test('the figures are one line, the whole block is an option, and a red run is never acceptable', async () => {
  await using api = await startApi()
  const steps =
    '  - name: One\n    request: { url: "/{{$faker.animal.cat}}" }\n    assert: { status_code: 201 }\n'
  await using project = await createProject(
    { 'a.suite.yaml': suite('A', api.url, steps) },
    { suites: "{ seed: 5, report: { performance: 'full' } }" },
  )
  const { output } = await project.run()
  expect(output).toContain('Slowest requests')
  expect(output).not.toContain('acceptable')
  await project.write({
    'vitest.config.ts': (await project.read('vitest.config.ts')).replace("'full'", "'short'"),
  })
  const short = steady((await project.run()).output, project.root)
  expect(/^ *Performance[\s\S]*/m.exec(short)?.[0]).toMatchInlineSnapshot(`
    "Performance  1 request in <time>: average <time>, p95 <time>, slowest <time>
           Seed  5 (option \`seed\` repeats the generated data)
         Report  .vitest/suitecase/index.html"
  `)
})

test('a terminal that shows colours gets the figures in colours', async () => {
  await using project = await createProject(
    {
      'terminal.js': `const { write } = process.stdout
process.stdout.hasColors = () => true
process.stdout.write = (text, ...rest) => write.call(process.stdout, String(text).replaceAll('\\u001b', '<esc>'), ...rest)
`,
      'a.suite.yaml': suite('A', '"{{echo_url}}"', '  - { name: One, request: { url: /get } }\n'),
    },
    { env: { NO_COLOR: '', NODE_OPTIONS: '--import=./terminal.js' } },
  )
  expect((await project.run()).output).toContain('<esc>[2mPerformance<esc>[22m')
})
