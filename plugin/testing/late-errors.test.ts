import { expect, test } from 'vitest'
import { startServer } from '../../server/index.ts'
import { createProject } from './fixtures/project.ts'

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
  const repeats =
    '  - { name: Repeats, request: { url: /late }, assert: { status_code: 500 }, retry: { max_attempts: 2, base_delay_ms: 9s } }\n'
  await using project = await createProject(
    { 'app.ts': app, 'late.suite.yaml': `${suite}${repeats}` },
    { suites: "{ app: './app.ts', timeout: 60000 }" },
  )
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(output).toMatch(/Tests {2}4 failed \| 1 passed/)
  for (const [name, message] of [
    ['Throws', 'nobody catches this'],
    ['Exits', 'process.exit unexpectedly called with "3"'],
    ['Too late', 'after the answer'],
  ] as const) {
    const { error_message } = await project.step('late', name)
    expect(error_message).toContain(`The application threw an unhandled error: Error: ${message}`)
  }
  // The second step had a response, and was waiting for its next attempt.
  for (const name of ['Throws', 'Repeats'])
    expect((await project.step('late', name)).error_message).toContain(
      'it had not ended 1000 ms after that error',
    )
  expect((await project.step('late', 'Too late')).response_details?.status_code).toBe(200)
})

test('an application that ends its process after such an error does not hide it, and neither are its causes', async () => {
  const ends = `process.on('uncaughtException', () => process.exit(1))
process.on('unhandledRejection', async () => process.exit(1))
export default () => (request, response) => {
  if (request.url === '/throws') setTimeout(() => { throw new Error('first') })
  if (request.url === '/late') void Promise.reject(new Error('outer', { cause: new AggregateError([{ code: 7 }], 'inner') }))
  setTimeout(() => response.end('{}'), 20)
}
`
  await using project = await createProject(
    { 'app.ts': ends, 'late.suite.yaml': suite },
    { suites: "{ app: './app.ts' }" },
  )
  expect((await project.run()).output).toMatch(/Tests {2}2 failed \| 2 passed/)
  expect((await project.step('late', 'Throws')).error_message).toContain('an unhandled error: Error: first')
  const { error_message } = await project.step('late', 'Too late')
  expect(error_message).toMatch(
    /an unhandled error: Error: outer[^]*\nCaused by: AggregateError: inner[^]*\nCaused by: \{ code: 7 \}/,
  )
})

test('in vm pools the parts of an error of Node are told as well', async () => {
  const app = `import { connect } from 'node:net'
export default (request, response) => {
  const found = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  connect({ port: 1, host: 'two.test', lookup: (_host, _options, give) => give(null, found) })
  setTimeout(() => response.end('{}'), 50)
}
`
  const typed = `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: 'Typed', node_id: 'typed', steps: [{ name: 'One', request: { url: '/' } }] })
`
  await using project = await createProject(
    { 'app.ts': app, 'typed.test.ts': typed },
    { suites: "{ app: './app.ts' }" },
  )
  await project.run('--pool=vmThreads')
  expect((await project.step('typed', 'One')).error_message).toMatch(
    /an unhandled error: AggregateError[^]*\nCaused by: Error: connect ECONNREFUSED 127\.0\.0\.1:1[^]*\nCaused by: Error: connect ECONNREFUSED 127\.0\.0\.2:1/,
  )
})

test('a fetch handler with two parameters is told, and not waited for', async () => {
  const handler = `export default (request, context) => new Response('hello')\n`
  await using project = await createProject(
    { 'app.ts': handler, 'late.suite.yaml': suite },
    { suites: "{ app: './app.ts', timeout: 60000 }" },
  )
  await project.run('-t', 'After')
  const { error_message } = await project.step('late', 'After')
  expect(error_message).toContain(
    'the request listener returned a `Response`: a fetch handler has one parameter, `(request) => …`',
  )
})

const listen = `import { createServer } from 'node:http'
export default async () => {
  const server = createServer((request, response) => {
    if (request.url === '/late') setTimeout(() => { throw new Error('between suites') }, 250)
    response.end('{}')
  })
  await new Promise((resolve) => server.listen(0, resolve))
  return { url: 'http://127.0.0.1:' + server.address().port, close: async () => { server.close(); CLOSE } }
}
`

const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=out.json']

test.each([
  ['exits', 'process.exit(0)', 'process.exit unexpectedly called'],
  [
    'exits a moment later',
    'setTimeout(() => process.exit(0)); await new Promise((go) => setTimeout(go, 50))',
    'process.exit unexpectedly called',
  ],
  ['ends the worker', 'process.reallyExit(0)', 'its thread ended with exit code 0'],
  [
    'ends the worker a moment later',
    'await new Promise((go) => setTimeout(go, 300)); process.reallyExit(0)',
    'The suite did not end: the worker stopped, because its thread ended with exit code 0',
  ],
])('an application whose close %s fails the run, in every report', async (_, close, message) => {
  await using project = await createProject(
    {
      'app.ts': listen.replace('CLOSE', close),
      'a.suite.yaml': suite.replace(/ {2}- .*(Throws|Exits|Too late).*\n/g, ''),
    },
    { suites: "{ app: './app.ts' }" },
  )
  const { code, output } = await project.run(...reporters)
  expect(code).toBe(1)
  expect(output).toContain(message)
  expect(JSON.parse(await project.read('out.json'))).toMatchObject({ success: false })
  expect((await project.result('a')).status).toBe('failure')
})

test('an application whose close throws fails the last suite that used it, of both kinds, in every report, where its output is shown', async () => {
  const close = "console.log('good bye'); throw new Error('close failed')"
  await using project = await createProject(
    {
      'app.ts': listen.replace('CLOSE', close),
      'a.suite.yaml': 'suite_name: A\nsteps:\n  - { name: One, request: { url: / } }\n',
      't.test.ts':
        "import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: 'T', steps: [{ name: 'One', request: { url: '/' } }] })\n",
    },
    { suites: "{ app: './app.ts' }" },
  )
  const { code, output } = await project.run(...reporters)
  expect(code).toBe(1)
  expect(output).toContain('stdout | a.suite.yaml\ngood bye')
  for (const file of ['|suites| a.suite.yaml [ a.suite.yaml ]', 't.test.ts [ t.test.ts ]'])
    expect(output).toContain(
      `FAIL  ${file}\nError: The application under test could not be closed: close failed`,
    )
  expect(JSON.parse(await project.read('out.json'))).toMatchObject({ success: false })
  expect((await project.result('a')).status).toBe('failure')
})

test('an error after the application has closed is one of the run, and costs no other suite', async () => {
  const close =
    "process.on('uncaughtException', () => process.exit(1)); setTimeout(() => { throw new Error('too late') }, 50)"
  await using project = await createProject(
    {
      'app.ts': listen.replace('CLOSE', close),
      'a.suite.yaml': 'suite_name: A\nsteps:\n  - { name: One, request: { url: / } }\n',
      'b.suite.yaml':
        "suite_name: B\nbase_url: '{{echo_url}}'\nsteps:\n  - { name: One, request: { url: /delay/2 } }\n",
    },
    { suites: "{ app: './app.ts' }" },
  )
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(output).toContain('Unhandled Error')
  expect(output).toContain('Error: too late')
  expect(output).toContain('2 passed (2)')
})

test('an error between the steps of suites fails the last suite of the application, and no suite loses the echo server with it', async () => {
  const one = (name: string, rest: string, more = ''): string =>
    `suite_name: ${name}\n${more}steps:\n  - { name: One, request: { url: ${rest} } }\n`
  const echo = "base_url: '{{echo_url}}'\n"
  await using project = await createProject(
    {
      'app.ts': listen.replace('CLOSE', ''),
      'a.suite.yaml': one('A', '/late'),
      'b.suite.yaml': one('B', '/delay/1', echo),
      'c.suite.yaml': one('C', '/', 'depends: [d]\n'),
      'd.suite.yaml': one('D', '/delay/0.5', echo),
    },
    { suites: "{ app: './app.ts' }" },
  )
  const { code, output } = await project.run(...reporters)
  expect(code).toBe(1)
  expect(output).toMatch(
    /FAIL .* c\.suite\.yaml[^]*The application threw an unhandled error: Error: between suites/,
  )
  expect(output).toContain('4 passed (4)')
  expect(JSON.parse(await project.read('out.json'))).toMatchObject({ success: false })
})

test.for([
  ['module', 'await listening\nexport default server'],
  ['function', 'export default async () => { await listening; return server }'],
])('an application whose %s awaits a server that cannot listen fails within seconds', async ([, rest]) => {
  await using taken = await startServer()
  const listens = `import { createServer } from 'node:http'
const server = createServer((request, response) => response.end('{}'))
const listening = new Promise((resolve) => server.listen(${taken.port}, '127.0.0.1', resolve))
${rest}
`
  await using project = await createProject(
    { 'app.ts': listens, 'late.suite.yaml': suite },
    { suites: "{ app: './app.ts' }" },
  )
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(output).toContain('Error: listen EADDRINUSE: address already in use')
  expect(output).toContain('suitecase starts the application on a free port.')
  expect(output).not.toContain('did not start within')
  expect(output).toMatch(/Tests {2}4 failed/)
})
