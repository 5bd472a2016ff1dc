import { expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'

/** An application that only accepts tokens that it issued itself. */
const app = `const tokens = new Set()
let count = 0
export default () => (request, response) => {
  if (request.url === '/login') {
    const token = 't-' + ++count + '-' + Math.random()
    tokens.add(token)
    return response.end(JSON.stringify({ token, count }))
  }
  const isKnown = tokens.has(request.headers.authorization?.slice(7))
  response.statusCode = isKnown ? 200 : 401
  response.end(JSON.stringify({ count }))
}
`

const login = `suite_name: Login
node_id: login
exports: [token]
steps:
  - name: Log in
    request: { method: POST, url: /login }
    capture: { token: body.token }
  - name: Unrelated
    request: { url: /, auth: { bearer: '{{token}}' } }
`

const reader = (name: string): string => `suite_name: ${name}
steps:
  - name: Ask
    request: { url: /${name}, auth: { bearer: '{{login.token}}' } }
    assert: { status_code: 200 }
    capture: { count: body.count }
  - name: Ask again
    request: { url: '/${name}/{{count}}', auth: { bearer: '{{login.token}}' } }
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

/** The suite that logs in comes first, in the middle or last among four suites that read its token. */
const orders = ['a', 'm', 'z'].map((name) => ({
  name,
  files: {
    'app.ts': app,
    [`${name}.suite.yaml`]: login,
    ...Object.fromEntries(['b', 'c', 'n', 'y'].map((each) => [`${each}.suite.yaml`, reader(each)])),
  },
}))

test.each(orders)(
  'a token of a suite called $name is good for all that share its application',
  async ({ files }) => {
    await using project = await createProject({ ...files, ...addresses }, { suites: "{ app: './app.ts' }" })
    const all = await project.run()
    // A suite that is skipped gives its variables all the same.
    expect(all.output).toContain('Tests  11 passed | 1 skipped (12)')
    expect(all.code).toBe(0)
    const filtered = await project.run('-t', 'Ask again')
    expect(filtered.output).toContain('Tests  4 passed | 8 skipped (12)')
  },
)

test('so it is for one step of a reader, and in shards', async () => {
  await using project = await createProject({ ...orders[1]?.files }, { suites: "{ app: './app.ts' }" })
  const one = await project.run('n.suite.yaml:7')
  expect(one.output).toContain('Tests  1 passed | 1 skipped (2)')
  for (const shard of [1, 2, 3]) {
    const { code, output } = await project.run(`--shard=${shard}/3`)
    expect(output).not.toContain('failed')
    expect(code).toBe(0)
  }
})

test('with `per: suite` each suite has an application of its own, in which it logs in', async () => {
  const files = { ...orders[0]?.files, 'app.ts': app }
  await using project = await createProject(files, {
    suites: "{ app: { path: './app.ts', per: 'suite' } }",
  })
  const { code, output } = await project.run()
  expect(output).toContain('Tests  10 passed (10)')
  expect(code).toBe(0)
})

test('with `per: suite` a suite that another needs in two ways runs once in its application', async () => {
  const asks = `request: { url: '/{{article.slug}}', auth: { bearer: '{{login.token}}' } }
    assert: { status_code: 200, body.logins: 1 }`
  await using project = await createProject(
    {
      'app.ts': `export default () => {
  let logins = 0
  return ({ url, headers }, response) => {
    if (url === '/login') logins++
    response.statusCode = url === '/login' || headers.authorization === 'Bearer t-1' ? 200 : 401
    response.end(JSON.stringify({ token: 't-' + logins, logins }))
  }
}
`,
      'login.suite.yaml': login,
      'article.suite.yaml': `suite_name: Article
exports: [slug]
steps:
  - name: Write
    request: { url: /article, auth: { bearer: '{{login.token}}' } }
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
  request: { url: '/{{article.slug}}', auth: { bearer: '{{login.token}}' } },
  assert: { status_code: 200, body: { logins: 1 } },
}] })
`,
    },
    { suites: "{ app: { path: './app.ts', per: 'suite' } }" },
  )
  const { code, output } = await project.run()
  expect(output).toContain('Tests  7 passed (7)')
  expect(code).toBe(0)
})

test('with `per: suite` a suite that does not use the application still runs once for all', async () => {
  await using echo = await startLoggedEcho()
  const files = {
    'app.ts': 'export default () => (request, response) => response.end(JSON.stringify({ count: 1 }))\n',
    'a.suite.yaml': login
      .replace('node_id', `base_url: ${echo.url}/anything\nnode_id`)
      .replace('.token', '.url'),
    'b.suite.yaml': reader('b'),
    'c.suite.yaml': reader('c'),
  }
  await using project = await createProject(files, {
    suites: "{ app: { path: './app.ts', per: 'suite' } }",
  })
  const { output } = await project.run()
  expect(output).toContain('Tests  6 passed (6)')
  expect(echo.paths()).toEqual(['/anything/login', '/anything/'])
})

test('with `per: suite` a log-in that fails in all applications is told by its own test alone, one that fails elsewhere by the readers', async () => {
  const failing = (from: number): string => `let apps = 0
export default () => {
  const mine = ++apps
  return ({ url }, response) => {
    response.statusCode = url === '/login' && mine >= ${from} ? 500 : 200
    response.end(JSON.stringify(response.statusCode === 200 ? { token: 't-1' } : {}))
  }
}
`
  const files = { ...orders[0]?.files, 'app.ts': failing(1) }
  await using project = await createProject(files, {
    suites: "{ app: { path: './app.ts', per: 'suite' } }",
  })
  const all = await project.run()
  expect(all.output.match(/^ FAIL .*/gm)).toEqual([' FAIL  |suites| a.suite.yaml:5 > Login > Log in'])
  expect(all.output).toContain('Tests  1 failed | 9 skipped (10)')
  await project.write({ 'app.ts': failing(2) })
  const readers = await project.run()
  expect(readers.output.match(/^ FAIL .*/gm)).toHaveLength(4)
  expect(readers.output).toContain('a.suite.yaml:7:23: The step “Log in” (line 5), which ran because')
  expect(readers.output).toContain('Tests  2 passed | 8 skipped (10)')
  expect(readers.code).toBe(1)
})

test('with `per: suite` the mocks of a step that others log in with answer one reader at a time', async () => {
  const reader = (id: number): string => `suite_name: Reader ${id}
steps:
  - name: Who am I
    request: { url: '/me?token={{auth.token}}' }
    assert: { status_code: 200 }
`
  await using project = await createProject(
    {
      'app.ts': `
export default () => async (request: Request) => {
  if (request.method === 'POST') await fetch('https://mail.example/send', { method: 'POST' })
  return Response.json({ token: 't-1' })
}
`,
      'auth.suite.yaml': `
suite_name: Auth
exports: [token]
steps:
  - name: Register
    request: { method: POST, url: /users }
    mocks: [{ url: 'https://mail.example/send', times: 1, respond: { status: 202 } }]
    assert: { status_code: 200 }
    capture: { token: body.token }
`,
      ...Object.fromEntries([1, 2, 3, 4].map((id) => [`r${id}.suite.yaml`, reader(id)])),
    },
    { suites: "{ app: { path: './app.ts', per: 'suite' } }" },
  )
  const { code, output } = await project.run()
  expect(output).toContain('Tests  5 passed (5)')
  expect(code).toBe(0)
})

test('`per: suite` needs a function that makes an application', async () => {
  await using project = await createProject(
    {
      'app.ts': "import { createServer } from 'node:http'\nexport default createServer(() => {})\n",
      'a.suite.yaml': login,
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
  const run = async (file: string): Promise<string> => {
    await project.run(file, '--reporter=junit', '--outputFile=junit.xml')
    return (await project.read('junit.xml')) + (await project.report('failures.json'))
  }
  const colours = /\[31m|\[38;5/
  const first = await run('a.suite')
  expect(first).toContain('[PARSE_ERROR] Expected a semicolon')
  expect(first).not.toMatch(colours)
  expect(await run('typed')).toContain('its suites are unknown')
  expect(await project.report('failures.json')).not.toMatch(colours)
  await project.write({ 'app.ts': app, 'helper.ts': 'exprt const a = 1\n' })
  const second = await run('a.suite')
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
    await using echo = await startLoggedEcho()
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
