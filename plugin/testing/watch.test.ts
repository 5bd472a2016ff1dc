import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLoggedEcho, type LoggedEcho } from './fixtures/logged-echo.ts'
import type { RunningProcess } from './fixtures/processes.ts'
import { createProject, type Project } from './fixtures/project.ts'

/** Matches the end of a run in watch mode. */
const IDLE = /Waiting for file changes|PASS|FAIL {2}Tests failed/

// Which files run does not depend on their workers: one thread for all costs least.
const one = "pool: 'threads', isolate: false"

/** The files that ran, in one run or several: a file that is found late runs after the rest. */
function listRan(output: string): string[] {
  const runs = Array.from(output.matchAll(/^RAN (.*)$/gm), ([, ran = '']) => ran.split(', '))
  return [...new Set(runs.flat())].toSorted()
}

const suite = (id: string, url: string, rest: string): string =>
  `suite_name: ${id}\nnode_id: ${id}\nbase_url: ${url}\n${rest}\n`

const typed = (name: string, request: string): string => `import { defineSuite } from 'suitecase'
defineSuite({ suite_name: '${name}', base_url: 'http://unused.example', steps: [${request}] })
`

describe('edits that one process sees', () => {
  let echo: LoggedEcho
  let project: Project
  let vitest: RunningProcess
  const producer = (id: string, value: string): string =>
    suite(
      id,
      echo.url,
      `exports: [v]\nsteps:\n  - name: Log in\n    request: { method: POST, url: /anything/${id}, body: { v: ${value} } }\n    capture: { v: body.json.v }`,
    )
  const step = (id: string, url: string): string =>
    suite(id, echo.url, `steps:\n  - { name: Send, request: { url: '/anything/${url}' } }`)

  const writeYaml = (): Record<string, string> => ({
    'a.suite.yaml': producer('auth', 'one'),
    'b.suite.yaml': step('reader', 'reader-{{auth.v}}'),
    'c.suite.yaml': suite('caller', echo.url, 'steps:\n  - name: Call\n    call: { suite: reader }'),
    'd.suite.yaml': step('rows', 'row-{{v}}').replace('steps:', 'each: { file: rows.csv }\nsteps:'),
    'e.suite.yaml': step('other', 'other'),
    'rows.csv': 'v\n1\n',
    'unit.test.ts': "import { test } from 'vitest'\ntest('unit', () => {})\n",
  })

  const random = '{{$faker.string.uuid}}'
  const writeSeeded = (): Record<string, string> => ({
    'seeded.suite.yaml': step('seeded', random),
    'kept.suite.yaml': step('kept', random),
  })

  const nameless = (name: string, url: string): string =>
    `suite_name: ${name}\nbase_url: ${echo.url}\nsteps:\n  - name: One\n    request: { url: ${url} }\n`
  const writeDeleted = (): Record<string, string> => ({
    'gone.suite.yaml': nameless('gone', '/get'),
    'stays.suite.yaml': nameless('stays', '/get'),
  })

  const sends = (id: string, file: string): string =>
    suite(
      id,
      echo.url,
      `steps:\n  - { name: Send, request: { method: POST, url: /anything/${id}, file: '${file}' } }`,
    )
  const writeOddlyNamed = (): Record<string, string> => ({
    'a #1.txt': 'a',
    'plain.txt': 'c',
    'hash.suite.yaml': sends('hash', 'a #1.txt'),
    'plain.suite.yaml': sends('plain', 'plain.txt'),
    'what?.suite.yaml': sends('what', 'plain.txt'),
    'C#/sharp.suite.yaml': sends('sharp', '../plain.txt'),
  })

  const source = (value: string): string => `export const value = '${value}'\n`
  const writeTyped = (): Record<string, string> => ({
    'src/app.ts': `import { value } from './value.ts'
export default async () => { await fetch('${echo.url}/anything/app-' + value); return (_, response) => response.end() }
`,
    'src/value.ts': source('one'),
    'login.suite.yaml': producer('login', 'one'),
    'reads.test.ts': typed(
      'Reads',
      `{ name: 'Read', request: { url: '${echo.url}/anything/read-{{login.v}}' } }`,
    ),
    'calls.test.ts': typed('Calls', `{ name: 'Call', call: { suite: './login.suite.yaml' } }`),
    'chain.test.ts': typed('Chain', `{ name: 'Call', call: { suite: 'middle' } }`),
    'middle.suite.yaml': step('middle', 'middle-{{login.v}}'),
    'inner.suite.yaml': `suite_name: Inner\nsteps:\n  - name: In\n    request: { url: '{{app_url}}/' }\n`,
    'app.test.ts': typed('App', `{ name: 'In', request: { url: '{{app_url}}/' } }`),
    'untouched.test.ts': typed(
      'Untouched',
      `{ name: 'Send', request: { url: '${echo.url}/anything/untouched' } }`,
    ),
  })

  beforeAll(async () => {
    echo = await startLoggedEcho()
    project = await createProject(
      { ...writeYaml(), ...writeSeeded(), ...writeDeleted(), ...writeOddlyNamed(), ...writeTyped() },
      { suites: "{ app: './src/app.ts', concurrency: 1 }", test: `{ ${one} }` },
    )
    vitest = project.start('watch', '--no-color')
    await vitest.shows(IDLE)
  })
  afterAll(async () => {
    vitest.kill('SIGTERM')
    await vitest.ended(10_000)
    await project[Symbol.asyncDispose]()
    await echo[Symbol.asyncDispose]()
  })

  /** Writes files, or removes those without text. Resolves to the paths that the run after it requests. */
  async function edit(files: Record<string, string | undefined>): Promise<string[]> {
    echo.requests.length = 0
    vitest.clear()
    await project.write(files)
    for (const [name, text] of Object.entries(files))
      if (text === undefined) await rm(join(project.root, name))
    await vitest.shows(IDLE)
    return echo
      .paths()
      .map((path) => path.replace('/anything/', ''))
      .toSorted()
  }

  test('an edit runs the suite again, and those that use its exports, call it or read its file, and nothing else', async () => {
    expect(
      await edit({
        'b.suite.yaml': step('reader', 'again-{{auth.v}}'),
        'rows.csv': 'v\n1\n2\n',
        'e.suite.yaml': step('other', 'changed'),
      }),
    ).toEqual(['again-one', 'again-one', 'auth', 'changed', 'row-1', 'row-2'])
    expect(vitest.output()).toMatch(/Test Files {2}4 passed/)
    // The figures only cover this run.
    expect(vitest.output()).toMatch(/^Performance {2}5 requests in /m)
    // A run of other tests prints nothing about suites.
    expect(
      await edit({ 'unit.test.ts': "import { test } from 'vitest'\ntest('other', () => {})\n" }),
    ).toEqual([])
    expect(vitest.output()).toMatch(/Tests {2}1 passed/)
    expect(vitest.output()).not.toMatch(/^Performance|^ +Report/m)
    // A mistake is shown, and fixing it reruns the suites that read this one.
    await edit({ 'a.suite.yaml': `${producer('auth', 'three')}nonsense: 1\n` })
    expect(vitest.output()).toContain('nonsense')
    expect(await edit({ 'a.suite.yaml': producer('auth', 'four') })).toEqual([
      'again-four',
      'again-four',
      'auth',
    ])
    expect(vitest.output()).toMatch(/Test Files {2}3 passed/)
    // A new suite is found, and a deleted one is forgotten.
    expect(await edit({ 'f.suite.yaml': step('fresh', 'fresh-{{auth.v}}') })).toEqual(['auth', 'fresh-four'])
    // Suites that read a deleted one say so, and run again when it is back.
    await edit({ 'a.suite.yaml': undefined })
    expect(vitest.output()).toContain('Nothing gives `auth.v` a value')
    expect(await edit({ 'a.suite.yaml': producer('auth', 'five') })).toEqual([
      'again-five',
      'again-five',
      'auth',
      'fresh-five',
    ])
    expect(await edit({ 'a.suite.yaml': producer('auth', 'four') })).toHaveLength(4)
  })

  test('each run has other generated data, and tells its seed', async () => {
    const old = await project.result('kept')
    await edit({ 'kept.suite.yaml': `${step('kept', random)}# edited\n` })
    const {
      seed,
      steps_results: [sent],
    } = await project.result('kept')
    expect(sent?.request_details?.url).not.toBe(old.steps_results[0]?.request_details?.url)
    expect((await project.result('seeded')).seed).toBe(old.seed)
    expect(old.seed).not.toBe(seed)
    expect(vitest.output()).toContain(`Seed  ${seed} (`)
    expect(await edit({ 'kept.suite.yaml': step('kept', 'plain') })).toEqual(['plain'])
    expect(vitest.output()).not.toContain('Seed')
  })

  test('an edit of a file runs the suites that read it, also where paths have a `#` or `?`, which Vite cuts', async () => {
    const changed = { 'a #1.txt': 'changed', 'plain.txt': 'changed' }
    expect(await edit(changed)).toEqual(['hash', 'plain', 'sharp', 'what'])
  })

  test('a suite that is deleted while it runs leaves the reports, and the file of a suite is named as in a run without watch mode', async () => {
    const others = new Set(await project.results())
    for (const name of ['gone.json', 'stays.json']) expect(others.delete(name)).toBe(true)
    const own = async (): Promise<string[]> => (await project.results()).filter((name) => !others.has(name))
    const deleteDuring = async (files: Record<string, string>, path: string, name: string): Promise<void> => {
      vitest.clear()
      await project.write(files)
      await expect.poll(() => echo.count(path), { timeout: 10_000 }).toBe(1)
      await rm(join(project.root, name))
      await vitest.shows(IDLE)
    }
    await deleteDuring({ 'gone.suite.yaml': nameless('gone', '/delay/1') }, '/delay/1', 'gone.suite.yaml')
    await edit({ 'stays.suite.yaml': nameless('stays', '/anything') })
    expect(await own()).toEqual(['stays.json'])
    vitest.clear()
    await mkdir(join(project.root, 'moved'))
    await rename(join(project.root, 'stays.suite.yaml'), join(project.root, 'moved/stays.suite.yaml'))
    await vitest.shows(IDLE)
    expect(await own()).toEqual(['stays.json'])
    // A suite that is deleted before it has its turn fails once.
    const waits = `${nameless('waits', '/get')}    assert: { status_code: 201 }\ndepends: [slow]\n`
    const files = { 'slow.suite.yaml': nameless('slow', '/delay/2'), 'waits.suite.yaml': waits }
    await deleteDuring(files, '/delay/2', 'waits.suite.yaml')
    expect(vitest.output()).toContain('waits.suite.yaml')
    await edit({ 'slow.suite.yaml': nameless('slow', '/get') })
    expect(vitest.output()).not.toContain('waits.suite.yaml')
    await rm(join(project.root, 'slow.suite.yaml'))
    // One suite passes its node id on to another.
    const taken = `${nameless('taken', '/get')}node_id: taken\n`
    await edit({ 'first.suite.yaml': taken })
    await edit({ 'second.suite.yaml': taken })
    await edit({ 'first.suite.yaml': nameless('first', '/get') })
    await edit({ 'second.suite.yaml': `${taken}description: alone\n` })
    await expect.poll(own).toEqual(['first.json', 'stays.json', 'taken.json'])
    // Another run removes a file, and the suite runs again.
    await rm(join(project.root, '.vitest/suitecase/suites/stays.json'))
    await edit({ 'first.suite.yaml': nameless('first', '/anything?again') })
    await edit({ 'moved/stays.suite.yaml': nameless('stays', '/anything?again') })
    await expect.poll(own).toEqual(['first.json', 'stays.json', 'taken.json'])
  })

  test('an edit runs the suites in TypeScript that read or call the edited one, and of an application only its suites', async () => {
    expect(new Set(await edit({ 'login.suite.yaml': producer('login', 'two') }))).toEqual(
      new Set(['login', 'middle-two', 'read-two']),
    )
    expect(vitest.output()).toMatch(/Test Files {2}5 passed/)
    expect(new Set(await edit({ 'src/value.ts': source('three') }))).toEqual(new Set(['app-three']))
    expect(vitest.output()).toMatch(/Test Files {2}2 passed/)
    vitest.clear()
    await rm(join(project.root, 'src/value.ts'))
    await vitest.shows(/Test Files {2}2 failed/)
    expect(vitest.output()).toContain("Cannot find module '/src/value.ts'")
  })
})

test('an edit of a suite counts in a workspace, where the plugin is in the configurations of projects', async () => {
  await using echo = await startLoggedEcho()
  const suite = (name: string, status: number): string =>
    `suite_name: ${name}\nbase_url: ${echo.url}\nsteps:\n  - name: One\n    request: { url: /anything/${name} }\n    assert: { status_code: ${status} }\n`
  const files = (name: string): Record<string, string> => ({
    [`packages/${name}/package.json`]: `{ "name": "${name}", "type": "module" }`,
    [`packages/${name}/vitest.config.ts`]: `
import { suites } from 'suitecase/plugin'
import { defineConfig } from 'vitest/config'
export default defineConfig({ plugins: [suites()], test: { name: '${name}', pool: 'threads' } })
`,
    [`packages/${name}/a.suite.yaml`]: suite(name, 200),
  })
  await using project = await createProject({
    'vitest.config.ts':
      "import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { projects: ['packages/*'] } })\n",
    ...files('one'),
    ...files('two'),
    'packages/two/needed.suite.yaml': suite('needed', 200),
    'packages/two/waits.test.ts': typed(
      'Waits',
      `{ name: 'One', request: { url: '${echo.url}/get' } }`,
    ).replace('steps', "depends: ['needed'], steps"),
  })
  const vitest = project.start('watch', '--no-color')
  const edit = async (text: string, name = 'a'): Promise<string> => {
    vitest.clear()
    await project.write({ [`packages/two/${name}.suite.yaml`]: text })
    await vitest.shows(IDLE)
    return vitest.output()
  }
  try {
    await vitest.shows(IDLE)
    expect(await edit(suite('two', 201))).toContain('Expected `status_code` to be 201, got 200')
    expect(await edit(`${suite('two', 200)}nonsense: 1\n`)).toContain('nonsense')
    expect(await edit(suite('two', 200))).toMatch(/Tests {2}1 passed/)
    expect(await edit(`${suite('needed', 200)}node_id: b\n`, 'needed')).toContain(
      'No suite has the node id `needed`',
    )
  } finally {
    vitest.kill('SIGTERM')
    await vitest.ended(10_000)
  }
})

/** A reporter that prints which files ran. */
const REPORTER = `{
  onTestRunEnd(modules) {
    console.log('RAN ' + modules.map((module) => module.state() + ' ' + module.relativeModuleId).join(', '))
  },
}`

describe('one process, whose configuration is edited after its first run', () => {
  const suite = (id: string, rest: string): string => `suite_name: ${id}\nbase_url: ${echo.url}\n${rest}\n`
  const step = (id: string, name: string): string =>
    suite(id, `steps: [{ name: ${name}, request: { url: '/anything/${id}-{{v}}' } }]`)
  // Prints how many steps the run still holds after they were written.
  const configure = (v: number, include: string): string => `import { suites } from 'suitecase/plugin'
const listSteps = (module) => [...module.children.allSuites()].flatMap((suite) => suite.meta().suitecase.steps.flat())
const onTestRunEnd = (modules) => {
  const steps = modules.flatMap(listSteps)
  setTimeout(() => console.log('held', steps.filter(({ text }) => text !== '').length, 'of', steps.length), 500)
}
export default { plugins: [suites({ include: ['${include}'], variables: { v: ${v} } })], test: { reporters: ['default', { onTestRunEnd }, ${REPORTER}] } }\n`
  let echo: LoggedEcho
  let project: Project
  let vitest: RunningProcess
  beforeAll(async () => {
    echo = await startLoggedEcho()
    project = await createProject({
      'vitest.config.ts': configure(1, '*.suite.yaml'),
      'shared.yaml': 'variables: { word: one }\n',
      'auth.suite.yaml': suite(
        'auth',
        "use: [shared.yaml]\nexports: [word]\nsteps:\n  - name: Log in\n    request: { url: '/anything/auth-{{word}}' }",
      ),
      'reader.suite.yaml': suite(
        'reader',
        "steps:\n  - name: Read\n    request: { url: '/anything/reader-{{auth.word}}' }",
      ),
      'slow.suite.yaml': suite('slow', 'steps:\n  - name: Wait\n    request: { url: /delay/4 }'),
      'called.suite.yaml': step('called', 'One'),
      'caller.suite.yaml': step('caller', 'Two').replace('[{', '[{ name: Call, call: { suite: called } }, {'),
    })
    vitest = project.start('watch', '--no-color')
  })
  afterAll(async () => {
    vitest.kill('SIGTERM')
    await vitest.ended(10_000)
    await project[Symbol.asyncDispose]()
    await echo[Symbol.asyncDispose]()
  })

  test('an edit during the first run, of a file that a suite reads, runs that suite and its readers again after it', async () => {
    await expect.poll(() => echo.paths(), { timeout: 20_000 }).toContain('/anything/reader-one')
    await project.write({ 'shared.yaml': 'variables: { word: two }\n' })
    await vitest.shows(/^RAN .*\n[^]*^RAN .*\n[^]*Waiting/m)
    expect(vitest.output()).toMatch(/^RAN .*slow/m)
    expect(vitest.output()).not.toMatch(/^RAN .*slow.*\n[^]*^RAN .*slow/m)
    expect(echo.paths()).toEqual(
      expect.arrayContaining(['/anything/auth-one', '/anything/auth-two', '/anything/reader-two']),
    )
  }, 90_000)

  test('an edit of the configuration starts the run anew, and an edit after it runs again what it affects', async () => {
    const edit = async (name: string, text: string): Promise<string[]> => {
      echo.requests.length = 0
      vitest.clear()
      await project.write({ [name]: text })
      await vitest.shows(IDLE)
      return echo.paths().toSorted()
    }
    const paths = ['called-2', 'called-2', 'caller-2'].map((name) => `/anything/${name}`)
    expect(await edit('vitest.config.ts', configure(2, 'c*.suite.yaml'))).toEqual(paths)
    expect(vitest.output()).toContain('|suites| caller.suite.yaml')
    expect(await edit('called.suite.yaml', step('called', 'First'))).toEqual(paths)
    expect(vitest.output()).toContain('Performance')
    await vitest.shows(/held \d+ of 3/)
    expect(vitest.output()).toContain('held 0 of 3')
  })

  test('a signal during a run ends watch mode, after teardown and reports', async () => {
    const slow = suite(
      'c-slow',
      'steps: [{ name: Hangs, request: { url: /delay/9 } }, { name: Never, request: { url: /get } }]\nteardown: [{ name: Clean up, request: { url: /anything/cleanup } }]',
    )
    await project.write({ 'c-slow.suite.yaml': slow })
    await expect.poll(() => echo.count('/delay/9'), { timeout: 20_000 }).toBe(1)
    vitest.kill('SIGTERM')
    expect((await vitest.ended(10_000)).code).toBe(143)
    expect(echo.paths().at(-1)).toBe('/anything/cleanup')
    expect((await project.result('c-slow')).steps_not_run).toBe(1)
  })
})

test('an edit runs again what it mends or breaks elsewhere: the owners of a node id, what could not be loaded, and all suites by the module of `extend`', async () => {
  const suite = (name: string, head = ''): string =>
    `suite_name: ${name}\nbase_url: '{{echo_url}}'\n${head}steps:\n  - name: One\n    request: { url: /get }\n`
  const people = suite('People', 'node_id: humans\n').replace('/get', '"{{js: where()}}"')
  const extension = "export default { functions: { where: () => '/get' } }\n"
  await using project = await createProject(
    {
      'environments/local.yaml': 'nonsense: 1\n',
      'extend.ts': extension,
      'owner.suite.yaml': suite('Owner'),
      'other.suite.yaml': suite('Other'),
      'waits.suite.yaml': suite('Waits', 'depends: [second]\n'),
      'rows.suite.yaml': suite('Rows', 'each: { file: data/rows.csv }\n'),
      'calls.suite.yaml':
        'suite_name: Calls\nsteps:\n  - name: Call\n    call: { suite: ./people.suite.yaml }\n',
      'calls.test.ts': typed('Calls', "{ name: 'Call', call: { suite: './people.suite.yaml' } }"),
      'schema.test.ts': typed(
        'Schema',
        "{ name: 'One', request: { url: '{{echo_url}}/get' }, assert: { body: { schema: './data/any.json' } } }",
      ),
    },
    {
      suites: "{ environment: 'local', extend: './extend.ts' }",
      test: `{ reporters: [${REPORTER}], ${one} }`,
    },
  )
  const vitest = project.start('watch', '--no-color')
  const edit = async (files: Record<string, string | undefined>, ...ran: string[]): Promise<void> => {
    vitest.clear()
    await project.write(files)
    for (const [name, text] of Object.entries(files))
      if (text === undefined) await rm(join(project.root, name))
    await expect.poll(() => listRan(vitest.output()), { timeout: 20_000 }).toEqual(ran)
  }
  try {
    await vitest.shows(/^RAN .*$/m)
    await edit(
      { 'environments/local.yaml': 'variables: { a: 1 }\n' },
      'failed calls.suite.yaml',
      'failed calls.test.ts',
      'failed rows.suite.yaml',
      'failed schema.test.ts',
      'failed waits.suite.yaml',
      'passed other.suite.yaml',
      'passed owner.suite.yaml',
    )
    // The new id was mentioned nowhere, but another suite had it.
    await edit(
      { 'other.suite.yaml': suite('Other', 'node_id: owner\n') },
      'failed other.suite.yaml',
      'failed owner.suite.yaml',
    )
    await edit(
      { 'other.suite.yaml': suite('Other', 'node_id: second\n') },
      'passed other.suite.yaml',
      'passed owner.suite.yaml',
      'passed waits.suite.yaml',
    )
    const reader = `${suite('Reader')}    delay_ms: '{{owner.ms}}'\n`
    await edit({ 'reader.suite.yaml': reader }, 'failed reader.suite.yaml')
    const giver = `${suite('Owner', 'exports: [ms]\n')}    capture: { ms: 5 }\n`
    await edit({ 'owner.suite.yaml': giver }, 'passed owner.suite.yaml', 'passed reader.suite.yaml')
    await edit({ 'owner.suite.yaml': undefined }, 'failed reader.suite.yaml')
    await edit({ 'new/owner.suite.yaml': giver }, 'passed new/owner.suite.yaml', 'passed reader.suite.yaml')
    await edit(
      { 'data/rows.csv': 'a\n1\n', 'data/any.json': '{}', 'people.suite.yaml': people },
      'passed calls.suite.yaml',
      'passed calls.test.ts',
      'passed people.suite.yaml',
      'passed rows.suite.yaml',
      'passed schema.test.ts',
    )
    await edit({ 'data/any.json': '{ "type": "string" }' }, 'failed schema.test.ts')
    await edit({ 'data/any.json': undefined }, 'failed schema.test.ts')
    await edit(
      { 'extend.ts': extension.replace("'/get'", "{ throw new Error('lost') }") },
      'failed calls.suite.yaml',
      'failed calls.test.ts',
      'failed people.suite.yaml',
      'failed schema.test.ts',
      'passed new/owner.suite.yaml',
      'passed other.suite.yaml',
      'passed reader.suite.yaml',
      'passed rows.suite.yaml',
      'passed waits.suite.yaml',
    )
  } finally {
    vitest.kill('SIGTERM')
    await vitest.ended(10_000)
  }
}, 90_000)

test('an edit runs the readers of a suite that have not run before, as in editors', async () => {
  const giver = (value: string): string =>
    `suite_name: Giver\nbase_url: '{{echo_url}}'\nexports: [v]\nsteps:\n  - { name: Give, request: { url: '/get?v=${value}' }, capture: { v: body.args.v } }\n`
  await using project = await createProject(
    {
      'giver.suite.yaml': giver('one'),
      'reader.suite.yaml':
        "suite_name: Reader\nbase_url: '{{echo_url}}'\nsteps:\n  - { name: Read, request: { url: '/get?v={{giver.v}}' } }\n",
    },
    { test: `{ reporters: ['default', ${REPORTER}] }` },
  )
  const vitest = project.start('watch', '--standalone')
  const edit = async (text: string): Promise<void> => {
    vitest.clear()
    await project.write({ 'giver.suite.yaml': text })
    await expect
      .poll(() => listRan(vitest.output()), { timeout: 20_000 })
      .toEqual(['passed giver.suite.yaml', 'passed reader.suite.yaml'])
  }
  try {
    await vitest.shows(/standalone[^]*Waiting for file changes/)
    await edit(giver('two'))
    await edit(giver('three'))
  } finally {
    vitest.kill('SIGTERM')
    await vitest.ended(10_000)
  }
}, 90_000)
