import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import type { RunOutcome } from './fixtures/processes.ts'
import { createProject, type Project } from './fixtures/project.ts'

const echo = await startLoggedEcho()
afterAll(echo.close)

/** An application that only accepts tokens that it issued itself. */
const app = `export default () => {
  const tokens = new Set()
  let count = 0
  return (request, response) => {
    if (request.url === '/login') {
      const token = 't-' + ++count + '-' + Math.random()
      tokens.add(token)
      return response.end(JSON.stringify({ token, count }))
    }
    const isKnown = tokens.has(request.headers.authorization?.slice(7))
    response.statusCode = isKnown ? 200 : 401
    response.end(JSON.stringify({ count }))
  }
}
`

const login = (nodeId: string): string => `suite_name: Login
node_id: ${nodeId}
exports: [token]
steps:
  - name: Log in
    request: { method: POST, url: /login }
    capture: { token: body.token }
  - name: Unrelated
    request: { url: /, auth: { bearer: '{{token}}' } }
`

const reader = (name: string, nodeId: string): string => `suite_name: ${name}
steps:
  - name: Ask
    request: { url: /${name}, auth: { bearer: '{{${nodeId}.token}}' } }
    assert: { status_code: 200 }
    capture: { count: body.count }
  - name: Ask again
    request: { url: '/${name}/{{count}}', auth: { bearer: '{{${nodeId}.token}}' } }
    assert: { status_code: 200 }
`

const addresses = {
  'address.suite.yaml': `suite_name: Address
node_id: address
skip: true
exports: [home]
variables: { home: '{{app_url}}/login' }
steps: [{ name: Left out, request: { url: / } }]
`,
  'home.suite.yaml': `suite_name: Home
steps: [{ name: Reach, request: { url: '{{address.home}}' }, assert: { status_code: 200 } }]
`,
}

test('a token is good for all that share its application, whichever suites, steps or shard run', async () => {
  // The suite that logs in comes first, in the middle or last among four suites that read its token.
  const files: Record<string, string> = { 'app.ts': app, ...addresses }
  for (const name of ['a', 'm', 'z']) {
    files[`${name}/${name}.suite.yaml`] = login(name)
    for (const each of ['b', 'c', 'n', 'y']) files[`${name}/${each}-${name}.suite.yaml`] = reader(each, name)
  }
  await using project = await createProject(files, { suites: "{ app: './app.ts' }" })
  const all = await project.run()
  // A suite that is skipped gives its variables all the same.
  expect(all.output).toContain('Tests  31 passed | 1 skipped (32)')
  expect(all.code).toBe(0)
  const filtered = await project.run('-t', 'Ask again')
  expect(filtered.output).toContain('Tests  12 passed | 20 skipped (32)')
  const one = await project.run('m/n-m.suite.yaml:7')
  expect(one.output).toContain('Tests  1 passed | 1 skipped (2)')
  // Each has readers of a token for which the other logs in.
  for (const [shard, passed] of [
    ['1/2', '16 passed | 1 skipped'],
    ['2/2', '15 passed'],
  ])
    expect((await project.run(`--shard=${shard}`)).output).toContain(`Tests  ${passed} (`)
})

describe('with `per: suite`', () => {
  const files: Record<string, string> = {
    'app.ts': `export default () => {
  let logins = 0
  let isFirst = false
  return async ({ url, headers }, response) => {
    if (url === '/login') logins++
    if (url === '/first') isFirst = true
    if (url === '/users') await fetch('https://mail.example/send', { method: 'POST' })
    const isKnown = !url.startsWith('/private') || headers.authorization === 'Bearer t-1'
    const isBroken = url === '/broken' || (url === '/elsewhere' && !isFirst)
    response.statusCode = isBroken ? 500 : isKnown ? 200 : 401
    response.end(JSON.stringify(isBroken ? {} : { token: 't-' + logins, logins, count: 1 }))
  }
}
`,
  }
  let project: Project
  let outcome: RunOutcome
  beforeAll(async () => {
    project = await createProject(files, { suites: "{ app: { path: './app.ts', per: 'suite' } }" })
    outcome = await project.run()
  })
  afterAll(() => project[Symbol.asyncDispose]())

  /** The statuses of the steps of these suites. */
  async function list(...nodeIds: string[]): Promise<string> {
    const results = await Promise.all(nodeIds.map((each) => project.result(each)))
    return results.flatMap((each) => each.steps_results.map(({ status }) => status)).join(' ')
  }

  const asks = `request: { url: '/private/{{article.slug}}', auth: { bearer: '{{login.token}}' } }
    assert: { status_code: 200, body.logins: 1 }`
  Object.assign(files, {
    'login.suite.yaml': login('login'),
    'article.suite.yaml': `suite_name: Article
exports: [slug]
steps:
  - name: Write
    request: { url: /private/article, auth: { bearer: '{{login.token}}' } }
    assert: { status_code: 200 }
    capture: { slug: body.logins }
`,
    'read.suite.yaml': `suite_name: Read
steps:
  - name: Read
    ${asks}
`,
    'call.suite.yaml': `suite_name: Call
steps:
  - { name: Write, call: { suite: article, step: Write } }
  - name: Read
    ${asks}
`,
    'typed.test.ts': `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'Typed', steps: [{
  name: 'Read',
  request: { url: '/private/{{article.slug}}', auth: { bearer: '{{login.token}}' } },
  assert: { status_code: 200, body: { logins: 1 } },
}] })
`,
  })
  test('each suite logs in once in an application of its own, also if it needs that in two ways', async () => {
    expect(await list('login', 'article', 'read', 'call', 'typed')).toBe('success '.repeat(7).trim())
  })

  files['outside.suite.yaml'] = login('outside')
    .replace('node_id', `base_url: ${echo.url}/anything\nnode_id`)
    .replace('.token', '.url')
  files['outside-1.suite.yaml'] = reader('b', 'outside')
  files['outside-2.suite.yaml'] = reader('c', 'outside')
  test('a suite that does not use the application still runs once for all', async () => {
    expect(await list('outside', 'outside-1', 'outside-2')).toBe('success '.repeat(6).trim())
    expect(echo.paths()).toEqual(['/anything/login', '/anything/'])
  })

  files['broken.suite.yaml'] = login('broken').replace('/login', '/broken')
  files['broken-1.suite.yaml'] = reader('b', 'broken')
  files['elsewhere.suite.yaml'] = login('elsewhere')
    .replace('/login', '/elsewhere')
    .replace('steps:', 'steps:\n  - { name: First, request: { url: /first } }')
  files['elsewhere-1.suite.yaml'] = reader('b', 'elsewhere')
  files['elsewhere-2.suite.yaml'] = reader('c', 'elsewhere')
  test('a log-in that fails in all applications is told by its own test alone, one that fails elsewhere by the readers', async () => {
    const { code, output } = outcome
    expect(output.match(/^ FAIL .*/gm)).toEqual([
      ' FAIL  |suites| elsewhere-1.suite.yaml:1 > b',
      ' FAIL  |suites| elsewhere-2.suite.yaml:1 > c',
      ' FAIL  |suites| broken.suite.yaml:5 > Login > Log in',
    ])
    expect(output).toContain('elsewhere.suite.yaml:8:23: The step “Log in” (line 6), which ran because')
    expect(output).toContain(
      '\n  npx vitest run elsewhere.suite.yaml:6\n  Steps before this one were left out. If it needs them,',
    )
    expect(await list('broken', 'broken-1')).toBe('failure skipped skipped skipped')
    expect(await list('elsewhere')).toBe('success success success')
    expect(await list('elsewhere-1', 'elsewhere-2')).toBe('skipped skipped skipped skipped')
    expect(code).toBe(1)
  })

  files['auth.suite.yaml'] = `suite_name: Auth
exports: [token]
steps:
  - name: Register
    request: { method: POST, url: /users }
    mocks: [{ url: 'https://mail.example/send', times: 1, respond: { status: 202 } }]
    assert: { status_code: 200 }
    capture: { token: body.token }
`
  const names = ['me-1', 'me-2', 'me-3', 'me-4']
  for (const name of names) files[`${name}.suite.yaml`] = reader(name, 'auth')
  test('the mocks of a step that others log in with answer one reader at a time', async () => {
    expect(await list('auth', ...names)).toBe('success '.repeat(9).trim())
  })
})

test('a suite that is loaded after others have ended finds their application running', async () => {
  const config = `import { Worker } from 'node:worker_threads'
import { suites } from 'suitecase/plugin'

const send = Worker.prototype.postMessage
const { promise: ended, resolve } = Promise.withResolvers()
Worker.prototype.postMessage = async function (message) {
  if (message.suitecase?.parcel?.path.endsWith('/late.suite.yaml')) await ended
  send.call(this, message)
}
const reporter = {
  onTestCaseResult: ({ name }) => name === 'Unrelated' && setTimeout(resolve, 100),
  onTestRunEnd: () => void (Worker.prototype.postMessage = send),
}
export default { plugins: [suites({ app: './app.ts' })], test: { reporters: ['default', reporter] } }
`
  await using project = await createProject({
    'vitest.config.ts': config,
    'app.ts': app,
    'auth.suite.yaml': login('auth'),
    'late.suite.yaml': reader('late', 'auth'),
  })
  const { code, output } = await project.run()
  expect(output).toContain('Tests  4 passed (4)')
  expect(code).toBe(0)
})

test('`per: suite` needs a function that makes an application', async () => {
  await using project = await createProject(
    {
      'app.ts': "import { createServer } from 'node:http'\nexport default createServer(() => {})\n",
      'a.suite.yaml': login('login'),
    },
    { suites: "{ app: { path: './app.ts', per: 'suite' } }" },
  )
  const { code, output } = await project.run()
  expect(output).toContain("`app.per: 'suite'` needs a module whose default export is a function")
  expect(code).toBe(1)
})

test('a module without a default export is told with what it exports, where anything is to be sent', async () => {
  const suite = 'suite_name: A\nsteps:\n  - name: Ask\n    request: { url: / }\n'
  await using project = await createProject(
    {
      'app.ts': 'export const createApp = () => () => {}\n',
      'a.suite.yaml': suite,
      'left-out.suite.yaml': `skip: true\n${suite}`,
      'skipped.suite.yaml': `${suite}    skip: true\n  - { name: Later, todo: true }\n`,
    },
    { suites: "{ app: './app.ts' }" },
  )
  const { code, output } = await project.run()
  expect(output).toContain(
    'The module ./app.ts of the option `app` has no default export: it exports only `createApp`. Write `export default` before the application, or in CommonJS `module.exports = app`.',
  )
  // The output does not show where in our code this was found.
  expect(output).not.toContain('suitecase/dist/')
  expect(output).toContain('Tests  1 failed | 2 skipped | 1 todo (4)')
  expect(code).toBe(1)
})

test('an application that Node cannot parse is named: the error tells no file', async () => {
  await using project = await createProject(
    {
      'app.ts': '@decorated\nclass Service {}\nexport default () => new Service()\n',
      'a.suite.yaml': 'suite_name: A\nsteps: [{ name: One, request: { url: /x } }]\n',
    },
    { suites: `{ app: './app.ts' }` },
  )
  const { code, output } = await project.run()
  expect(output).toContain('SyntaxError: The module ./app.ts of the option `app` could not be loaded: ')
  expect(code).toBe(1)
})

test('what Vite says in colours of a module that it cannot parse is in no output with their escape sequences', async () => {
  const app = `export default () => (_, response) => response.end()\n`
  await using project = await createProject(
    {
      'app.ts': app.replace('export', 'exprt'),
      'extend.ts': `import './helper.ts'\nexport default {}\n`,
      'helper.ts': '',
      'a.suite.yaml':
        'suite_name: A\nsteps: [{ name: One, request: { url: /x }, assert: { status_code: 200 } }]\n',
      'typed.test.ts': `import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: 'T', steps [] })\n`,
    },
    { suites: `{ app: './app.ts', extend: './extend.ts' }` },
  )
  const run = async (): Promise<string> => {
    await project.run('--reporter=junit', '--outputFile=junit.xml')
    return (await project.read('junit.xml')) + (await project.report('failures.json'))
  }
  const colours = /\[31m|\[38;5/
  const first = await run()
  expect(first).toContain('[PARSE_ERROR] Expected a semicolon')
  expect(first).toContain('its suites are unknown')
  expect(first).not.toMatch(colours)
  await project.write({ 'app.ts': app, 'helper.ts': 'exprt const a = 1\n' })
  const second = await run()
  expect(second).toContain('extend.ts could not be loaded: Transform failed')
  expect(second).not.toMatch(colours)
})

test.each([
  ['at once', 'server.listen(port)'],
  [
    'and waits for it',
    "await new Promise((resolve, reject) => server.listen(port, resolve).on('error', reject))",
  ],
])(
  'an application that listens %s on a port that is taken is told to leave that to suitecase',
  async (_, listen) => {
    const suite = 'steps: [{ name: One, request: { url: /x } }]\n'
    await using project = await createProject(
      {
        'app.ts': `import { createServer } from 'node:http'
const port = ${new URL(echo.url).port}
const server = createServer()
${listen}
export default () => (request, response) => response.end()
`,
        'a.suite.yaml': `suite_name: A\n${suite}`,
        'b.suite.yaml': `suite_name: B\n${suite}`,
      },
      { suites: `{ app: './app.ts' }` },
    )
    const { code, output } = await project.run()
    expect(output).toContain('Error: listen EADDRINUSE: address already in use')
    expect(output.match(/suitecase starts the application on a free port\. If the module/g)).toHaveLength(1)
    expect(code).toBe(1)
  },
)
