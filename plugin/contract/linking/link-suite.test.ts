import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../../../src/fixtures/make-folder.ts'
import type { LinkedSuite } from './link-suite.ts'
import { resolveOptions, type Options } from '../options.ts'
import { SuiteFiles } from '../../main/suites/suite-files.ts'

type Files = Record<string, string | Buffer>

/** Links one of the suite files against the others. Without a base URL, requests go to an application. */
function link(files: Files, name: string, options: Options = {}): Promise<LinkedSuite> {
  const root = makeFolder(files)
  const suites = Object.keys(files)
    .filter((file) => file.endsWith('.suite.yaml'))
    .map((file) => join(root, file))
  const loader = new SuiteFiles(
    { root, shownFrom: root },
    resolveOptions({ app: './app.ts', ...options }),
    () => Promise.resolve(suites),
  )
  return loader.link(join(root, name))
}

const suite = (nodeId: string, url: string, more = ''): string =>
  `suite_name: ${nodeId}\nnode_id: ${nodeId}\n${more}steps:\n  - name: First\n    request: { url: '/${url}' }\n    capture: { token: body.t, spare: body.s }\n`

async function listWarnings(read: string): Promise<string[]> {
  const more = 'exports: [token, spare]\nvariables: { user: x }\n'
  const { plan } = await link(
    { 'a.suite.yaml': auth, 'b.suite.yaml': suite('b', read, more) },
    'b.suite.yaml',
  )
  return plan.warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

const auth = suite('auth', 'login', 'exports: [token]\n')

test.for(['{{sign(1)}}', '{{$fn.sign(1)}}'])(
  '`%s` is no variable, and the hint says where functions are',
  async (read) => {
    expect(await listWarnings(read)).toEqual([
      expect.stringContaining(
        'Functions of your own belong in a module that the option `extend` of suites() names.',
      ),
    ])
  },
)

test.for(['token', 'spare'])(
  '`{{%s}}` of a suite in `depends` is no variable, and the hint says where it is',
  async (name) => {
    const other = `suite_name: b\ndepends: [auth]\nsteps: [{ name: A, request: { url: '/{{${name}}}' } }]\n`
    const { plan } = await link({ 'a.suite.yaml': auth, 'b.suite.yaml': other }, 'b.suite.yaml')
    expect(plan.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining(`Write \`auth.${name}\` for what the suite \`auth\` captures.`),
    ])
  },
)

test.for<[read: string, column: number, name: string]>([
  ["{{api-key || 'none'}}", 25, 'api-key'],
  ["{{my-auth.token ?? 'none'}}", 25, 'my-auth'],
  ['{{js: my-auth.token}}', 29, 'my-auth'],
  ["{{user-id || 'none'}}", 30, 'user-id'],
])('a name with a hyphen in an expression is an error: %s', async ([read, column, name]) => {
  const files = {
    'a.suite.yaml': suite('my-auth', 'login', 'exports: [token]\n'),
    'b.suite.yaml': suite('b', read, 'variables: { api-key: k, user: u, user-id: i }\n').replace(
      /url: '(.*)' /,
      'url: "$1" ',
    ),
  }
  await expect(link(files, 'b.suite.yaml')).rejects.toMatchObject({ problems: { length: 1 } })
  await expect(link(files, 'b.suite.yaml')).rejects.toThrow(
    new RegExp(
      `^b.suite.yaml:6:${column} error unknown-variable: Nothing gives .*\n  hint: A hyphen subtracts here. Write \`variables\\['${name}'\\]\` for the value of that name\\.`,
    ),
  )
})

test('a subtraction of names that are not there is one', async () => {
  const { plan } = await link({ 'b.suite.yaml': suite('b', '{{js: (total-rest) || 0}}') }, 'b.suite.yaml')
  expect(plan.warnings).toEqual([])
})

describe('what a suite reads of another one', () => {
  test('is found by node id', async () => {
    const { plan, needs } = await link(
      { 'a.suite.yaml': auth, 'b.suite.yaml': suite('b', '{{auth.token.id}}', 'exports: [token, spare]\n') },
      'b.suite.yaml',
    )
    expect([...needs.keys()]).toEqual(['auth'])
    expect(plan.foreign).toMatchObject([{ root: 'auth', name: 'token' }])
    expect(plan.warnings).toEqual([])
  })

  test('must be exported: an error at the name, with the nearest export', async () => {
    await expect(
      link({ 'a.suite.yaml': auth, 'b.suite.yaml': suite('b', '{{auth.tokn}}') }, 'b.suite.yaml'),
    ).rejects.toThrow(
      /b\.suite\.yaml:5:25 error unknown-export: The suite `auth` does not export `tokn`\.\n {2}hint: Did you mean `token`\?/,
    )
  })

  test('must be exported even when it is captured', async () => {
    await expect(
      link({ 'a.suite.yaml': auth, 'b.suite.yaml': suite('b', '{{auth.spare}}') }, 'b.suite.yaml'),
    ).rejects.toThrow('hint: Add `spare` to the `exports` of a.suite.yaml.')
  })

  test('is told together with what is wrong in the suite itself', async () => {
    const files = { 'a.suite.yaml': auth, 'b.suite.yaml': suite('b', '{{token}}/{{auth.tokn}}') }
    await expect(link(files, 'b.suite.yaml')).rejects.toMatchObject({
      problems: [
        { severity: 'error', message: 'The suite `auth` does not export `tokn`.' },
        { severity: 'warning', message: '`token` is set by this step itself, after its checks.' },
      ],
    })
  })

  test('is a warning where a default stands for it', async () => {
    const { plan } = await link(
      { 'a.suite.yaml': auth, 'b.suite.yaml': suite('b', "{{auth.tokn || ''x''}}") },
      'b.suite.yaml',
    )
    expect(plan.warnings.map(({ message }) => message)).toContain(
      'The suite `auth` does not export `tokn`. Did you mean `token`?',
    )
  })

  test('is a warning when nothing has the name, with the nearest variable, capture or node id', async () => {
    expect(await listWarnings('{{usr}}')).toEqual([
      '7:25 Nothing gives `usr` a value: `usr` is not a variable or capture here, nor a node id. Did you mean `user`?',
    ])
    expect(await listWarnings('{{aut.token}}')).toEqual([
      '7:25 Nothing gives `aut.token` a value: `aut` is not a variable or capture here, nor a node id. Did you mean `auth`?',
    ])
    expect(await listWarnings('{{vars.user}}')).toEqual([
      '7:25 Nothing gives `vars.user` a value: `vars` is not a variable or capture here, nor a node id. Write `user` without `vars.`.',
    ])
    expect(await listWarnings("{{usr || ''nobody''}}")).toEqual([])
  })

  test('is told how a name with a dot is read', async () => {
    const text = suite('a', '{{user.name}}', 'variables: { user.name: Ann }\n')
    expect((await link({ 'a.suite.yaml': text }, 'a.suite.yaml')).plan.warnings).toMatchObject([
      {
        message: expect.stringContaining("A dot reads a field. Write `variables['user.name']`, or") as string,
      },
    ])
  })

  test.each([
    ["js: ''?'' + usr", true],
    ['1 ? usr : 2', true],
    ['(1 || 2) + usr', true],
    ['usr ? 1 : 2', false],
    ["usr || ''nobody''", false],
    ['usr ?? 1', false],
    ['js: usr?.name', false],
    ["typeof usr === ''string''", false],
  ])('is told unless something stands for it: {{%s}}', async (template, isTold) => {
    expect(await listWarnings(`{{${template}}}`)).toHaveLength(isTold ? 1 : 0)
  })

  test('is told in the name of a suite', async () => {
    const text =
      "suite_name: 'Plan {{pln}}'\neach: [{ plan: a }]\nsteps: [{ name: A, request: { url: 'http://h' } }]\n"
    expect((await link({ 'a.suite.yaml': text }, 'a.suite.yaml')).plan.warnings).toMatchObject([
      { line: 1, column: 21, message: expect.stringContaining('Did you mean `plan`?') as string },
    ])
  })

  const judged = (more: string): Files => ({
    'a.suite.yaml': auth,
    'b.suite.yaml': `${suite('b', 'x', 'exports: [token, spare]\n')}${more}`,
  })

  test.each([
    ['assert: { custom: [{ condition: "!(respons_time > 500)" }] }', '8:40', 'response_time'],
    [
      'scenarios: [{ condition: "{{js: stats_code === 200}}", then: { variables: { a: 1 } } }]',
      '8:37',
      'status_code',
    ],
    ['scenarios: [{ condition: variables.aut == 1, then: { variables: { a: 1 } } }]', '8:30', 'auth'],
    ['retry: { max_attempts: 2, until: bodi.done === true }', '8:38', 'body'],
    ['assert: { custom: [{ condition: status === 200 }] }', '8:37', 'status_code'],
    ['assert: { custom: [{ condition: responseCode.code === 200 }] }', '8:37', 'status_code'],
    ['skip: "tokn === 1"', '8:12', 'token'],
    ['assert: { custom: [{ condition: body?.id === tokn }] }', '8:50', 'token'],
  ])('is an error in a condition when nothing has the name: %s', async (more, place, meant) => {
    await expect(link(judged(`    ${more}\n`), 'b.suite.yaml')).rejects.toThrow(
      new RegExp(
        `b\\.suite\\.yaml:${place} error unknown-variable: Nothing gives .*\n  hint: Did you mean \`${meant}\``,
      ),
    )
  })

  test.each(['setup:\n  - { name: Call, call: { suite: ./helper.yaml } }\n', 'depends: [./helper.yaml]\n'])(
    'may be of a suite that is named by its file, and that `include` leaves out: %j',
    async (naming) => {
      const reader = suite('b', '{{help.token}}', naming)
      const helper = suite('help', 'login', 'exports: [token]\n')
      for (const [name, text] of [
        ['help', helper],
        // A broken suite reports its mistakes when it runs.
        ['helper', 'suite_name: Broken\n'],
      ] as const) {
        const files = { 'helper.yaml': text, 'b.suite.yaml': reader.replace('help.', `${name}.`) }
        const { plan } = await link(files, 'b.suite.yaml', { unresolved: 'error' })
        expect(plan.warnings).toEqual([])
      }
    },
  )

  test('is found by node id in a condition too, and may be missing where the condition asks for that', async () => {
    const found = judged('    assert: { custom: [{ condition: body.t === auth.token }] }\n')
    expect((await link(found, 'b.suite.yaml')).plan.foreign).toMatchObject([{ root: 'auth', name: 'token' }])
    for (const condition of [
      "typeof nothing === 'undefined'",
      'nothing === undefined || body.n < nothing',
      'null != nothing',
      'nothing?.x === 1 || (nothing ?? 1) > 2',
    ]) {
      const asks = judged(`    assert: { custom: [{ condition: "${condition}" }] }\n`)
      expect((await link(asks, 'b.suite.yaml')).plan.warnings).toEqual([])
    }
    for (const condition of [
      '!nothing',
      "nothing !== 'x'",
      'nothing !== null',
      'nothing + 1 === undefined',
    ]) {
      const reads = judged(`    assert: { custom: [{ condition: "${condition}" }] }\n`)
      await expect(link(reads, 'b.suite.yaml')).rejects.toThrow('Nothing gives `nothing`')
    }
  })

  test.each(['b', './b.suite.yaml'])(
    'is a warning in a condition of a suite that is called as %s, maybe with that input',
    async (name) => {
      const call = (other: string, input: string): string =>
        `  - { name: Call ${other}, call: { suite: ${other}, variables: { ${input}: admin } } }\n`
      const caller = `suite_name: c\nsteps:\n${call(name, 'role')}${call('d', 'rank')}`
      const files = (condition: string): Files => ({
        ...judged(`    assert: { custom: [{ condition: ${condition} }] }\n`),
        'c.suite.yaml': caller,
        'd.suite.yaml': suite('d', '{{rank}}'),
      })
      const { plan } = await link(files("role === 'admin'"), 'b.suite.yaml')
      expect(plan.warnings.map(({ message }) => message)).toEqual([
        expect.stringContaining('Nothing gives `role`'),
      ])
      await expect(link(files('respons_time < 5'), 'b.suite.yaml')).rejects.toThrow(
        'Did you mean `response_time`?',
      )
      // A word that the caller uses for something else is not passed.
      await expect(link(files('"!(suite_name > 5)"'), 'b.suite.yaml')).rejects.toThrow(
        'Nothing gives `suite_name`',
      )
      // Nor is what it passes to another suite.
      await expect(link(files('"!(rank > 5)"'), 'b.suite.yaml')).rejects.toThrow('Nothing gives `rank`')
    },
  )

  test.each(['b', './b.suite.yaml'])(
    'is a variable that a call of %s passes, but a misspelt one is an error with `unresolved: error`',
    async (name) => {
      const linkStrictly = (read: string): Promise<LinkedSuite> => {
        const files = {
          'b.suite.yaml': suite('b', read),
          'c.suite.yaml': `suite_name: c\nsteps:\n  - name: Call\n    call: { suite: ${name}, variables: { who: ada } }\n`,
        }
        return link(files, 'b.suite.yaml', { unresolved: 'error' })
      }
      expect((await linkStrictly('{{who}}')).plan.warnings.map(({ message }) => message)).toEqual([
        'Nothing gives `who` a value: `who` is not a variable or capture here, nor a node id. Only calls from other suites pass it. For a run of this suite by itself, define it in `variables`; what a call passes wins.',
      ])
      await expect(linkStrictly('{{whoo}}')).rejects.toThrow('hint: Did you mean `who`?')
    },
  )

  test('does not excuse a subtraction of its name', async () => {
    const files = {
      'b.suite.yaml': suite('b', '{{who-am ?? 1}}', 'variables: { who-am: x }\n'),
      'c.suite.yaml':
        'suite_name: c\nsteps:\n  - name: Call\n    call: { suite: b, variables: { who: ada } }\n',
    }
    await expect(link(files, 'b.suite.yaml')).rejects.toThrow(
      "hint: A hyphen subtracts here. Write `variables['who-am']` for the value of that name.",
    )
  })

  test('is no error while a suite that may pass it does not load', async () => {
    const files = {
      ...judged("    skip: who === 'x'\n"),
      'c.suite.yaml':
        'suite_name: c\nsteps: [{ name: Call, call: { suite: ./b.suite.yaml, variables: { who: ada } }, skp: x }]\n',
    }
    expect((await link(files, 'b.suite.yaml', { unresolved: 'error' })).plan.warnings).toMatchObject([
      { message: expect.stringMatching(/^Nothing gives `who` a value/) },
    ])
  })

  test('says that there is no response yet where `skip` asks for it', async () => {
    await expect(link(judged('    skip: status_code === 500\n'), 'b.suite.yaml')).rejects.toThrow(
      'hint: There is no response yet at this point.',
    )
  })

  test.each([
    [
      'retry: { max_attempts: 2, until: state === 1 }',
      'If it is a field of the response, write `body.state`; ',
    ],
    [
      "stream: { until: delta.text === 'x' }",
      'If it is a field of the response, write `event.data.delta.text`; ',
    ],
    ["stream: { until: data === 'x' }", 'If it is a field of the response, write `event.data`; '],
    ['stream: { until: "events[-1].id === 1" }', 'If it is a field of the response, write `event`; '],
    [
      'assert: { custom: [{ condition: headers.content-length > 5 }] }',
      "A hyphen subtracts here. Write `headers['content-length']` for the value of that name.",
    ],
    ['skip: "!(qqq > 1)"', 'Define it in `variables`'],
  ])('asks whether it is a field of the answer: %s', async (more, hint) => {
    await expect(link(judged(`    ${more}\n`), 'b.suite.yaml')).rejects.toThrow(`hint: ${hint}`)
  })
})

describe('what a suite names', () => {
  test.each([
    [
      'depends: [auht]\n',
      /3:11 error unknown-reference: No suite has the node id `auht`\.\n {2}hint: Did you mean `auth`\?/,
    ],
    [
      'depends: [./none.suite.yaml]\n',
      /3:11 error unknown-reference: The suite file `\.\/none\.suite\.yaml` does not exist\./,
    ],
    [
      'setup:\n  - name: Call\n    call: { suite: auth, step: Frist }\n',
      /5:32 error unknown-reference: The suite `auth` has no step `Frist`\.\n {2}hint: Did you mean `First`\?/,
    ],
  ])('must exist: %s', async (more, words) => {
    const files = { 'a.suite.yaml': auth, 'b.suite.yaml': suite('b', 'x', more) }
    await expect(link(files, 'b.suite.yaml')).rejects.toThrow(words)
  })

  test('reads what a call gives it, or there is a warning', async () => {
    const call = (variables: string): string =>
      suite(
        'b',
        'x',
        `exports: [token, spare]\nsetup:\n  - name: Call\n    call: { suite: auth, variables: { ${variables} } }\n`,
      )
    const target = suite('auth', '{{role}}/{{team}}', 'variables: { team: a, other: b }\n')
    const warn = async (variables: string): Promise<string[]> => {
      const files = { 'a.suite.yaml': target, 'b.suite.yaml': call(variables) }
      const { plan } = await link(files, 'b.suite.yaml')
      return plan.warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)
    }
    expect(await warn('role: admin, team: b, other: c')).toEqual([])
    expect(await warn('role: admin, taem: b')).toEqual([
      '6:52 The suite `auth` reads no variable `taem`, so passing it has no effect. Did you mean `team`?',
    ])
  })

  test('may be a file: exports are still found by node id, and a called suite is not run for its exports', async () => {
    const more =
      'depends: [./a.suite.yaml]\nsetup:\n  - name: Call\n    call: { suite: ./c.suite.yaml, step: First }\n'
    const { plan, needs } = await link(
      {
        'a.suite.yaml': auth,
        'b.suite.yaml': suite('b', '{{auth.token}}/{{c.spare}}', more),
        'c.suite.yaml': suite('c', 'x'),
      },
      'b.suite.yaml',
    )
    expect([...needs.keys()]).toEqual(['auth', './c.suite.yaml'])
    expect(plan.depends).toEqual(['auth'])
    expect(plan.foreign).toMatchObject([{ root: 'auth' }])
  })
})

test('the address of the application is known only with the option `app`', async () => {
  const files = (url: string): Files => ({
    'a.suite.yaml': `suite_name: A\nbase_url: "${url}"\nsteps:\n  - name: a\n    request: { url: /x }\n`,
  })
  const linkAlone = (url: string): Promise<LinkedSuite> =>
    link(files(url), 'a.suite.yaml', { app: undefined as never, unresolved: 'error' })
  expect((await link(files('{{app_url}}'), 'a.suite.yaml')).plan.warnings).toEqual([])
  await expect(linkAlone('{{app_url}}')).rejects.toThrow(
    'a.suite.yaml:2:14 error unknown-variable: Nothing gives `app_url` a value: `app_url` is not a variable or capture here, nor a node id.\n' +
      '  hint: Name the module of the application in the option `app`, or write an address instead.',
  )
  expect((await linkAlone("{{app_url || 'http://localhost:3000'}}")).plan.warnings).toEqual([])
})

describe('suites among themselves', () => {
  test('have one node id each', async () => {
    await expect(
      link({ 'a.suite.yaml': auth, 'b.suite.yaml': suite('auth', 'x') }, 'b.suite.yaml'),
    ).rejects.toThrow(
      'b.suite.yaml:2:10 error duplicate-node-id: The node id `auth` is also that of `a.suite.yaml`.',
    )
    const three = { 'a.suite.yaml': auth, 'b.suite.yaml': auth, 'c.suite.yaml': auth }
    await expect(link(three, 'c.suite.yaml')).rejects.toThrow('that of `a.suite.yaml`, `b.suite.yaml`.')
  })

  test('must not form a cycle, however long', async () => {
    const files: Files = {}
    for (let at = 0; at < 30; at += 1)
      files[`s${at}.suite.yaml`] = suite(`s${at}`, `{{s${(at + 1) % 30}.token}}`, 'exports: [token]\n')
    await expect(link(files, 's0.suite.yaml')).rejects.toThrow(
      /s0\.suite\.yaml:6:25 error dependency-cycle: These suites form a cycle: s0\.suite\.yaml → s1\.suite\.yaml → .* → s29\.suite\.yaml → s0\.suite\.yaml\./,
    )
  })

  test('must not read their own exports by their node id', async () => {
    await expect(
      link({ 'a.suite.yaml': suite('a', '{{a.token}}', 'exports: [token]\n') }, 'a.suite.yaml'),
    ).rejects.toThrow(
      'a.suite.yaml:6:25 error dependency-cycle: These suites form a cycle: a.suite.yaml → a.suite.yaml.\n' +
        '  hint: Move what they share into a separate suite. A suite reads its own values without its node id.',
    )
  })

  test('may need each other in many ways that meet again', async () => {
    const files: Files = { 'last.suite.yaml': suite('last', 'x', 'exports: [token]\n') }
    for (let at = 0; at < 40; at += 2) {
      const next = at === 38 ? ['last'] : [`s${at + 2}`, `s${at + 3}`]
      const reads = next.map((nodeId) => `{{${nodeId}.token}}`).join('/')
      for (const nodeId of [`s${at}`, `s${at + 1}`])
        files[`${nodeId}.suite.yaml`] = suite(nodeId, reads, 'exports: [token]\n')
    }
    expect((await link(files, 's0.suite.yaml')).needs.size).toBe(2)
  })

  test('are read as UTF-8', async () => {
    const latin = Buffer.from(`suite_name: caf\u00e9\n`, 'latin1')
    await expect(link({ 'a.suite.yaml': latin }, 'a.suite.yaml')).rejects.toThrow(
      'a.suite.yaml:1:16 error yaml-syntax: The file is not UTF-8.',
    )
  })
})

test('with compat, exports of the suites one depends on are read by their bare names', async () => {
  const files = {
    'a.suite.yaml': auth,
    'b.suite.yaml': suite('b', '{{token2}}/{{tokens}}', 'depends: [{ path: ./a.suite.yaml }]\n'),
  }
  const { plan } = await link(
    { ...files, 'a.suite.yaml': auth.replaceAll('token', 'token2') },
    'b.suite.yaml',
    { compat: 'flow-test' },
  )
  const messages = plan.warnings
    .map(({ message }) => message)
    .filter((message) => message.startsWith('Nothing gives'))
  expect(messages).toEqual([expect.stringContaining('Nothing gives `tokens` a value')])
})

test('mocks of a suite that goes elsewhere than to the application are told', async () => {
  const mocks = "mocks: [{ url: 'https://pay.example/*', times: 0 }]\n"
  const inStep = (skip: string): string =>
    `suite_name: S\nbase_url: https://staging.example\nsteps:\n  - name: Pay\n${skip}    request: { url: /pay }\n    ${mocks}`
  const inSuite = (skip: string): string => inStep(skip).replace(`    ${mocks}`, mocks)
  const list = async (text: string, app: string | undefined): Promise<string[]> => {
    const { plan } = await link({ 'a.suite.yaml': text }, 'a.suite.yaml', { app } as Options)
    return plan.warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)
  }
  const message =
    'These mocks answer nothing: the requests go to `https://staging.example`, not to the application in this process.'
  const remedy =
    'Leave out the `base_url`, or move this to steps that are skipped there (`skip: { when: … }`).'
  expect(await list(inStep(''), './app.ts')).toEqual([`6:13 ${message} ${remedy}`])
  expect(await list(inStep('    skip: false\n'), './app.ts')).toEqual([`7:13 ${message} ${remedy}`])
  expect(await list(inStep('    skip: true\n'), './app.ts')).toEqual([])
  expect(await list(inSuite(''), './app.ts')).toEqual([`6:9 ${message} ${remedy}`])
  expect(await list(inSuite('    skip: true\n'), './app.ts')).toEqual([])
  await expect(list(inStep(''), undefined)).rejects.toThrow('there is no application under test')
})

test('an `advance` of a suite that goes elsewhere than to the application is told', async () => {
  const list = async (skip: string, app?: string): Promise<string[]> => {
    const step = `  - name: Later\n${skip}    advance: 1h\n    request: { url: /me }\n`
    const text = `suite_name: S\nclock: 2026-01-01T00:00:00Z\nbase_url: https://a.example\nsteps:\n${step}`
    const { plan } = await link({ 'a.suite.yaml': text }, 'a.suite.yaml', { app } as Options)
    return plan.warnings.map(({ line, message }) => `${line} ${message}`)
  }
  expect(await list('', './app.ts')).toEqual([
    '5 `advance` moves only the time in this process: the requests go to `https://a.example`, not to the application in this process. Leave out the `base_url`, or move this to steps that are skipped there (`skip: { when: … }`).',
  ])
  expect(await list('    skip: true\n', './app.ts')).toEqual([])
  expect(await list('')).toEqual([
    '5 `advance` moves only the time in this process: there is no application under test. Name its module in the option `app`, or remove this.',
  ])
})

test('each mistake says what to do', async () => {
  const step = (more: string): string =>
    `suite_name: B\nnode_id: b\nsteps:\n  - name: Read\n    request: { url: / }\n${more}`
  const call = (more: string): string =>
    `suite_name: B\nnode_id: b\nsteps:\n  - name: Call\n    call: ${more}\n`
  const mock = 'mocks: [{ method: GET, url: http://m/, respond: { status: 200 } }]\n'
  const tell = async (text: string, options: Options = {}): Promise<string[]> => {
    const files = {
      'a.suite.yaml': auth,
      'b.suite.yaml': text,
      'c.suite.yaml': suite('none', 'c', 'variables: { role: x }\n'),
    }
    const { plan } = await link(files, 'b.suite.yaml', options).catch((error: unknown) => ({
      plan: {
        warnings: [{ line: 0, message: (error as Error).message.replaceAll(/\n +(?:>| *\d* \|).*/g, '') }],
      },
    }))
    return plan.warnings.map(({ line, message }) => `${line} ${message}`)
  }
  const told = await Promise.all([
    tell(step('depends: [./none.suite.yaml]\n')),
    tell(step('depends: [zzz]\n')),
    tell(call('{ suite: auth, step: Last }')),
    tell(call('{ suite: none, variables: { zzz: 1, rol: 2 } }')),
    tell(step('    variables: { x: "{{auth.spare}}", y: "{{auth.zzz}}", z: "{{none.zzz}}" }\n')),
    tell(step('    variables: { x: "{{auth.zzz ?? 1}}" }\n')),
    tell(step('variables: { x: "{{$env.constructor}}" }\n')),
    tell(step('variables: { x: "{{$env.NOT_SET_HERE}}" }\n'), { unresolved: 'error' }),
    tell(step('    variables: { x: "{{$env.NOT_SET_HERE || 1}}" }\n')),
    tell(suite('auth', 'b')),
    tell(step(mock).replace('url: /', 'url: http://h/'), { app: undefined as never }),
    tell(step(`base_url: http://h\n${mock}`)),
    tell(step('    assert: { custom: [{ condition: zzz === 1 }] }\n')),
    tell(step('    variables: { x: "{{response.id}}", y: "{{zzz}}" }\n')),
    tell(step('depends: [b]\n')),
  ])
  expect(told.flat().join('\n')).toMatchInlineSnapshot(`
    "0 b.suite.yaml:6:11 error unknown-reference: The suite file \`./none.suite.yaml\` does not exist.
      hint: File names are relative to this suite.
    > 6 | depends: [./none.suite.yaml]
    0 b.suite.yaml:6:11 error unknown-reference: No suite has the node id \`zzz\`.
      hint: Known: auth, b, none.
    > 6 | depends: [zzz]
    0 b.suite.yaml:5:32 error unknown-reference: The suite \`auth\` has no step \`Last\`.
      hint: It has: First, step-1-first.
    > 5 |     call: { suite: auth, step: Last }
    5 The suite \`none\` reads no variable \`zzz\`, so passing it has no effect. It reads: role.
    5 The suite \`none\` reads no variable \`rol\`, so passing it has no effect. Did you mean \`role\`?
    0 b.suite.yaml:6:24 error unknown-export: The suite \`auth\` does not export \`spare\`.
      hint: Add \`spare\` to the \`exports\` of a.suite.yaml.
    > 6 |     variables: { x: "{{auth.spare}}", y: "{{auth.zzz}}", z: "{{none.zzz}}" }

    b.suite.yaml:6:45 error unknown-export: The suite \`auth\` does not export \`zzz\`.
      hint: It exports: token.
    > 6 |     variables: { x: "{{auth.spare}}", y: "{{auth.zzz}}", z: "{{none.zzz}}" }

    b.suite.yaml:6:64 error unknown-export: The suite \`none\` does not export \`zzz\`.
      hint: It exports: nothing.
    > 6 |     variables: { x: "{{auth.spare}}", y: "{{auth.zzz}}", z: "{{none.zzz}}" }
    6 The suite \`auth\` does not export \`zzz\`. It exports: token.
    6 \`$env.constructor\` has no value: there is no such environment variable. Set it in the shell or in a \`.env\` file, or give it a default: \`{{$env.constructor || 'x'}}\`.
    0 b.suite.yaml:6:20 error unknown-variable: \`$env.NOT_SET_HERE\` has no value: there is no such environment variable.
      hint: Set it in the shell or in a \`.env\` file, or give it a default: \`{{$env.NOT_SET_HERE || 'x'}}\`.
    > 6 | variables: { x: "{{$env.NOT_SET_HERE}}" }
    0 b.suite.yaml:2:10 error duplicate-node-id: The node id \`auth\` is also that of \`a.suite.yaml\`.
      hint: Give each suite its own \`node_id\`.
    > 2 | node_id: auth
    0 b.suite.yaml:6:9 error bad-value: These mocks answer nothing: there is no application under test.
      hint: Name its module in the option \`app\`, or remove this.
    > 6 | mocks: [{ method: GET, url: http://m/, respond: { status: 200 } }]
    7 These mocks answer nothing: the requests go to \`http://h\`, not to the application in this process. Leave out the \`base_url\`, or move this to steps that are skipped there (\`skip: { when: … }\`).
    0 b.suite.yaml:6:37 error unknown-variable: Nothing gives \`zzz\` a value: \`zzz\` is not a variable or capture here, nor a node id.
      hint: If it is a field of the response, write \`body.zzz\`; otherwise, define it in \`variables\` or an environment, capture it, or check \`typeof zzz\`.
    > 6 |     assert: { custom: [{ condition: zzz === 1 }] }
    6 Nothing gives \`response.id\` a value: \`response\` is not a variable or capture here, nor a node id. Capture it in that step, \`capture: { id: body.id }\`, and write \`{{id}}\`. A condition reads \`status_code\`, \`headers\` and \`body\`.
    6 Nothing gives \`zzz\` a value: \`zzz\` is not a variable or capture here, nor a node id. Define it in \`variables\` or an environment, capture it, or give it a default: \`{{… || 1}}\`.
    0 b.suite.yaml:6:11 error dependency-cycle: These suites form a cycle: b.suite.yaml → b.suite.yaml.
      hint: Move what they share into a separate suite. A suite reads its own values without its node id.
    > 6 | depends: [b]"
  `)
})

test.each([
  [['call auth', 'token'], []],
  [['call auth', 'spare'], []],
  [['call ./a.suite.yaml', 'token'], []],
  [['token', 'call auth'], ['token']],
  [
    ['token', 'call auth', 'token'],
    ['token', 'token'],
  ],
  [['call none', 'token', 'call auth'], ['token']],
  [['call none', 'call auth', 'token'], []],
  [['call none', 'token'], ['token']],
  [['call auth 2', 'token'], ['token']],
  [['call auth with token'], ['token']],
  [['call auth with spare', 'spare'], []],
  [['call auth', 'call auth with token'], []],
])('of %j, %j are read as exports: what a call gives is there after it', async (steps, exported) => {
  const written = steps.map((one) => {
    const [, called, step, input] = /^call (\S+)( \d)?(?: with (\w+))?$/.exec(one) ?? []
    const inputs = input === undefined ? '' : `, variables: { x: '{{auth.${input}}}' }`
    return called === undefined
      ? `  - { name: Read, request: { url: '/{{auth.${one}}}' } }\n`
      : `  - { name: Call, call: { suite: ${called}${step ? ', step: Second' : ''}${inputs} } }\n`
  })
  const files = {
    'a.suite.yaml': `${auth}  - { name: Second, request: { url: / }, capture: { other: body.o } }\n`,
    'b.suite.yaml': `suite_name: B\nnode_id: b\nsteps:\n${written.join('')}`,
    'c.suite.yaml': suite('none', 'c'),
  }
  const { plan } = await link(files, 'b.suite.yaml')
  expect(plan.foreign.map(({ name }) => name)).toEqual(exported)
})

test('a cycle is told once, however often the other suite is read', async () => {
  const files = {
    'a.suite.yaml': suite('auth', '{{b.token}}', 'exports: [token]\n'),
    'b.suite.yaml': suite('b', '{{auth.token}}/{{auth.token}}', 'exports: [token]\ndepends: [auth]\n'),
  }
  await expect(link(files, 'b.suite.yaml')).rejects.toMatchObject({ problems: { length: 1 } })
})
