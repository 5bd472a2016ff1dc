import { expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

/** Five steps: the fifth reads what the third captures, which in turn reads what the first captures. */
const flow = (url: string, top = '', name = 'Flow'): string => `
suite_name: ${name}
base_url: ${url}
${top}
steps:
  - name: First
    request: { method: POST, url: /anything/first, body: { v: one } }
    capture: { one: body.json.v }
  - name: Second
    request: { url: /anything/second }
    capture: { two: body.method }
  - name: Third
    request: { method: POST, url: /anything/third, body: { v: '{{one}}-three' } }
    capture: { three: body.json.v }
  - name: Fourth
    request: { url: /anything/fourth, params: { v: '{{two}}' } }
  - name: Fifth
    request: { url: /anything/fifth, params: { v: '{{three}}' } }
    assert: { body.args.v: one-three }
`

/** What the filter chooses, by suite. */
const CHOSEN = {
  One: 'Fifth',
  Several: '(Third|Fourth|Fifth)',
  Me: 'Who',
  Around: 'Fourth',
  Loops: '.* 2',
  Typed: '.* 2',
  Fails: 'Fifth',
}
const filter = Object.entries(CHOSEN).map(([suite, steps]) => `^${suite} > ${steps}$`)
const filtered = shareRun({}, '-t', filter.join('|'))

const one = filtered((url) => ({ 'one.suite.yaml': flow(url, '', 'One') }))

test('a selected step runs first, unreported, just the earlier steps it needs', async () => {
  const { echo, output, project } = await one()
  expect(output).toMatch(/one\.suite\.yaml \(5 tests \| 4 skipped\)/)
  expect(echo.sent()).toBe('first third fifth')
  const result = await project.result('one')
  expect(result).toMatchObject({ steps_successful: 1, steps_failed: 0, steps_executed: 1 })
})

const several = filtered((url) => ({ 'several.suite.yaml': flow(url, '', 'Several') }))

test('several selected steps share the steps they need', async () => {
  const { echo, project } = await several()
  expect(await project.result('several')).toMatchObject({ steps_successful: 3, steps_executed: 3 })
  expect(echo.sent()).toBe('first second third fourth fifth')
})

test('a line of the file selects its step', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    { 'flow.suite.yaml': flow(echo.url) },
    { test: '{ includeTaskLocation: true }' },
  )
  const line =
    flow('')
      .split('\n')
      .findIndex((text) => text.includes('name: Third')) + 1
  const { code, output } = await project.run(`flow.suite.yaml:${line}`)
  expect(output).toContain('1 passed | 4 skipped (5)')
  expect(code).toBe(0)
  expect(echo.sent()).toBe('first third')
  const nowhere = await project.run('flow.suite.yaml:99')
  expect(nowhere.output).toContain('No test found in flow.suite.yaml in line 99')
  expect(nowhere.output).toMatch(/Test Files {2}1 failed/)
  expect(nowhere.code).toBe(1)
})

const whole = shareRun({ test: '{ allowOnly: true, slowTestThreshold: 0 }' })

const marked = whole((url) => ({
  'marked.suite.yaml': flow(url).replace('- name: Third', '- only: true\n    name: Third'),
}))

test('steps marked `only` are run with what they need', async () => {
  const { echo, output, project } = await marked()
  expect(output).toMatch(/marked\.suite\.yaml \(5 tests \| 4 skipped\)/)
  expect(await project.result('marked')).toMatchObject({ steps_successful: 1, steps_executed: 1 })
  expect(echo.sent()).toBe('first third')
})

const cookies = filtered((url) => ({
  'me.suite.yaml': `
suite_name: Me
base_url: ${url}
cookies: true
steps:
  - { name: Log in, request: { url: /cookies/set?session=ann, follow_redirects: false } }
  - { name: Other, request: { url: /anything/other } }
  - { name: Who, request: { url: /cookies }, assert: { body.cookies.session: ann } }
`,
}))

test('in a suite with `cookies: true` all earlier steps are needed', async () => {
  const { echo, project } = await cookies()
  expect(await project.result('me')).toMatchObject({ steps_successful: 1, steps_executed: 1 })
  expect(echo.paths()).toEqual(['/cookies/set', '/anything/other', '/cookies'])
})

test('tags select suites and steps', async () => {
  await using echo = await startLoggedEcho()
  const named = (name: string, tags: string): string =>
    `suite_name: ${name}\nbase_url: ${echo.url}\nmetadata: { tags: ${tags} }\nsteps:\n  - name: One\n    request: { url: /anything/${name} }\n`
  await using project = await createProject({
    'a.suite.yaml': named('smoke', '[smoke, fast]'),
    'b.suite.yaml': named('slow', '[slow]'),
    'c.suite.yaml': named('both', '[smoke, slow]'),
    'd.suite.yaml': named('step', '[all]').replace(
      'steps:',
      '$&\n  - { name: Tagged, tags: [smoke], request: { url: /anything/tagged } }',
    ),
  })
  const { code, output } = await project.run('--tags-filter', 'smoke && !slow')
  expect(output).toContain('2 passed | 3 skipped (5)')
  expect(code).toBe(0)
  expect(echo.sent().split(' ').toSorted()).toEqual(['smoke', 'tagged'])
})

test('a filter of tags that cannot be used fails the run, in the words of Vitest', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': `suite_name: A\nmetadata: { tags: [smoke] }\nbase_url: ${echo.url}\nsteps: [{ name: One, request: { url: /get } }]\n`,
  })
  for (const [filter, message] of [
    ['smok', 'The tag pattern "smok" is not defined in the configuration. Available tags are:'],
    ['smoke &&', 'Invalid tags expression: unexpected end of expression in "smoke &&"'],
  ] as const) {
    const { code, output } = await project.run('--tags-filter', filter)
    expect(output).toContain(`Error: ${message}`)
    expect(output).not.toContain('suitecase itself failed')
    expect(output).toMatch(/Tests {2}no tests/)
    expect(code).toBe(1)
  }
  expect(echo.paths()).toEqual([])
})

const WHOLE = 'first second third fourth fifth'
const NEEDED = 'first third fifth'

for (const { option, keys, code } of [
  { option: 'all', keys: { '': WHOLE, needed: NEEDED }, code: 0 },
  { option: 'none', keys: { '': 'fifth', all: 'fifth' }, code: 1 },
  { option: 'needed', keys: { all: WHOLE }, code: 0 },
]) {
  const chosen = shareRun({ suites: `{ prerequisites: '${option}' }` }, '-t', 'Fifth')
  for (const [key, expected] of Object.entries(keys)) {
    const top = key && `prerequisites: ${key}`
    const suites = chosen((url) => ({
      [`flow${key}.suite.yaml`]: flow(url, top),
      [`other${key}.suite.yaml`]: flow(url, `${top}\nexports: [three]`)
        .replaceAll('/anything/', '/anything/other/')
        .replace('Fifth', 'Last'),
      [`reader${key}.suite.yaml`]: `suite_name: Reader
base_url: ${url}
steps: [{ name: Fifth, request: { url: '/anything/reader/{{other${key}.three}}' } }]
`,
    }))

    test(`the option \`prerequisites: ${option}\`, and \`${top}\` in the suite`, async () => {
      const { echo, ...run } = await suites()
      const {
        flow: own,
        other,
        reader,
      } = Object.groupBy(echo.sent().split(' '), (path) => /other|reader/.exec(path)?.[0] ?? 'flow')
      expect(own?.join(' ')).toBe(expected)
      expect(run.code).toBe(code)
      // The suite whose export is read runs with all that its steps need.
      const isWhole = (key || option) === 'all'
      expect(other?.join(' ').replaceAll('other/', '')).toBe(isWhole ? WHOLE : 'first third')
      expect(reader).toEqual(['reader/one-three'])
    })
  }
}

const fails = filtered((url) => ({
  'fails.suite.yaml': flow(url, '', 'Fails').replace(
    'one: body.json.v',
    'one: body.json.missing, other: body.gone',
  ),
}))

test('a needed step that fails without being selected fails the run and is named', async () => {
  const { code, echo, output, project } = await fails()
  // No test of this run failed.
  expect(output).toMatch(/Tests {2}\d+ passed \| \d+ skipped/)
  expect(code).toBe(1)
  expect(echo.sent()).toBe('first')
  expect(output).toContain('The step “First” (line 6), which ran because another needs it, failed:')
  // Reported once, however many of its checks failed, with the command that shows all of them.
  expect(output.match(/which ran because/g)).toHaveLength(1)
  expect(output).toMatch(/^ {2}8:\d+: The capture `other` has no value/m)
  expect(output).toMatch(/^POST \S+\/anything\/first → 200 OK, application\/json$/m)
  expect(output).toContain('  npx vitest run fails.suite.yaml:6')
  expect(output).toMatch(/❯ fails\.suite\.yaml:8:\d+/)
  expect((await project.step('fails', 'Fifth')).skip_reason).toBe(
    'needs `three`, which “Third” (line 12) did not provide',
  )
})

const wrong = (url: string): Record<string, string> => ({
  'wrong.suite.yaml': flow(url)
    .replace('one-three', 'two-three')
    .replace('steps:', 'steps:\n  - { name: Later, todo: true }'),
})
const wrongWhole = whole(wrong)

test('a chosen step that fails says that a filter left out steps before it', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(wrong(echo.url))
  const note =
    'Steps before this one were left out. If it needs them, write `prerequisites: all` in the suite.'
  expect((await project.run('-t', 'Fifth')).output).toContain(`\n  ${note}\n`)
  const { output, statuses } = await wrongWhole()
  expect(await statuses('wrong')).toBe('skipped success success success success failure')
  expect(output).not.toContain('left out')
})

const skips = whole((url) => ({ 'skips.suite.yaml': flow(url).replace('body.json.v', 'body.gone') }))

test('a step that is skipped is not shown as a slow one that passed', async () => {
  const { output } = await skips()
  const [, own = ''] = output.split(/skips\.suite\.yaml \(5 tests.*\n/)
  expect(own).toMatch(/^.*Flow.*\n.*× First.*\n.*✓ Second.*\n.*↓ Third/)
})

const around = filtered((url) => {
  const step = (name: string): string =>
    `${name}:\n  - { name: The ${name}, request: { url: /anything/${name} } }\n`
  const undo = "  - { name: Undo the first, request: { method: DELETE, url: '/anything/{{one}}' } }"
  return { 'around.suite.yaml': flow(url, `${step('setup')}${step('teardown')}${undo}`, 'Around') }
})

test('set-up runs before a selected step and teardown after it, without what a step that was left out would have given', async () => {
  const { echo, output, project } = await around()
  expect(output).toMatch(/around\.suite\.yaml \(8 tests \| 7 skipped\)/)
  expect(await project.result('around')).toMatchObject({ steps_failed: 0 })
  expect(echo.sent()).toBe('setup second fourth teardown')
})

const loops = (name: string, url: string): string => {
  const loop = (what: string): string =>
    `[{ "name": "${what} {{n}}", "iterate": { "over": [1, 2, 3], "as": "n" }, "request": { "url": "/anything/${what}-{{n}}" } }]`
  return `{ "suite_name": "${name}", "base_url": "${url}", "setup": ${loop('make')}, "steps": ${loop('get')}, "teardown": ${loop('clear')} }`
}

const inYaml = filtered((url) => ({ 'loops.suite.yaml': loops('Loops', url) }))
const inTypeScript = filtered((url) => ({
  'typed.test.ts': `import { defineSuite } from 'suitecase'\ndefineSuite(${loops('Typed', url)})`,
}))

test.each([
  ['loops.suite.yaml', inYaml],
  ['typed.test.ts', inTypeScript],
])(
  'set-up and teardown run whole in %s, also where a filter takes in some of their iterations',
  async (name, run) => {
    const { echo, output } = await run()
    expect(output).toContain(`${name} (9 tests | 6 skipped)`)
    expect(echo.sent()).toBe('make-2 make-1 make-3 get-2 clear-2 clear-1 clear-3')
  },
)

test('`vitest list` reads the files of a suite anew', async () => {
  await using project = await createProject({
    'rows.csv': 'id\n1\n',
    'rows.suite.yaml': `
suite_name: Rows
each: { file: rows.csv }
steps:
  - name: Get {{id}}
    request: { url: 'http://127.0.0.1:1/{{id}}' }
`,
  })
  const list = async () => {
    const { output } = await project.vitest('list', '--json')
    return (JSON.parse(output) as { name: string; location: object }[]).map(({ name, location }) => [
      name,
      location,
    ])
  }
  const location = { line: 5, column: 11 }
  expect(await list()).toEqual([['Rows [1: id=1] > Get 1', location]])
  await project.write({ 'rows.csv': 'id\n1\n2\n' })
  expect(await list()).toEqual([
    ['Rows [1: id=1] > Get 1', location],
    ['Rows [2: id=2] > Get 2', location],
  ])
})

test('where Vitest only reads the files, tags, `only` and `todo` of a step count as in a run', async () => {
  const one = (name: string, more: string): string =>
    `suite_name: ${name}\nbase_url: '{{echo_url}}'\nsteps:\n  - { name: One, request: { url: /get }, assert: { status_code: 404 }, ${more} }\n`
  const plain = '  - { name: Two, request: { url: /get } }\n'
  await using project = await createProject({
    'tagged.suite.yaml': one('Tagged', 'tags: [slow]') + plain,
    'later.suite.yaml': `suite_name: Later\nsteps:\n  - { name: One, todo: true }\n`,
  })
  const list = async (...args: string[]): Promise<string[]> =>
    (await project.vitest('list', ...args)).output.trim().split('\n')
  const tagged = '[suites] tagged.suite.yaml > Tagged >'
  expect(await list()).toEqual([`${tagged} One`, `${tagged} Two`])
  expect(await list('--tags-filter', 'slow')).toEqual([`${tagged} One`])
  const { code, output } = await project.run('--tags-filter', 'slow', '--experimental.preParse')
  expect(output).toContain('Expected `status_code` to be 404, got 200')
  expect(code).toBe(1)
  await project.write({ 'tagged.suite.yaml': one('Tagged', 'only: true') + plain })
  expect(await list()).toEqual([`${tagged} One`])
})

test('`vitest list` shows the steps, with `--no-static-parse` too, sends nothing, and fails for a suite that cannot be loaded', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'flow.suite.yaml': flow(echo.url),
    'names.suite.yaml': `suite_name: "It's \\"quoted\\""\nsteps:\n  - { name: 'say "hi" for \${x}', request: { url: '${echo.url}' } }\n  - { name: "\`it's\`", request: { url: '${echo.url}' } }\n`,
  })
  const read = await project.vitest('list')
  expect(read.code).toBe(0)
  for (const name of ['First', 'Second', 'Third', 'Fourth', 'Fifth'])
    expect(read.output).toContain(`[suites] flow.suite.yaml > Flow > ${name}`)
  const collected = await project.vitest('list', '--no-static-parse')
  expect(collected).toMatchObject({ code: 0, output: read.output })
  const one = await project.vitest('list', '--no-static-parse', '-t', 'Third')
  expect(one.output.trim()).toBe('[suites] flow.suite.yaml > Flow > Third')
  await project.write({ 'broken.suite.yaml': 'suite_name: Broken\nstep: []\n' })
  const { code, output } = await project.vitest('list', '--no-static-parse')
  expect(output).toContain('broken.suite.yaml:2:1 error unknown-field: Unknown field `step`')
  expect(code).toBe(1)
  expect(echo.requests).toEqual([])
})

test('tags that select no test fail the run, unless it may be empty or they select skipped tests', async () => {
  const step = (name: string, more: string): string =>
    `  - { name: ${name}, ${more}, request: { url: /get } }\n`
  await using project = await createProject({
    'a.suite.yaml': `suite_name: A\nbase_url: '{{echo_url}}'\nsteps:\n${step('One', 'tags: [smoke]')}${step('Two', 'tags: [slow], skip: true')}`,
  })
  const none = await project.run('--tags-filter', 'smoke && slow')
  expect(none.code).toBe(1)
  expect(none.output).toContain(
    'suitecase: No test is selected by `--tags-filter`: smoke && slow. Correct it or the `tags` of suites and steps, or set `test.passWithNoTests`.',
  )
  expect((await project.run('--tags-filter', 'smoke && slow', '--passWithNoTests')).code).toBe(0)
  expect((await project.run('--tags-filter', 'slow')).code).toBe(0)
})

test('a name that no test has fails the run, unless it may be empty; a shard whose report is missing is told', async () => {
  await using echo = await startLoggedEcho()
  const suite = (name: string): string =>
    `suite_name: ${name}\nbase_url: ${echo.url}\nsteps:\n  - { name: One, request: { url: /get } }\n`
  await using project = await createProject({ 'a.suite.yaml': suite('A'), 'b.suite.yaml': suite('B [x]') })
  // Vitest joins the parts of a test name with ` > `.
  const { code, output } = await project.run('-t', 'B [x]|A One')
  expect(code).toBe(1)
  expect(output).toContain(
    'suitecase: No test has a name that matches `-t`: /B [x]|A One/. Correct it (it is a regular expression, and a whole name reads `Suite > Step`), or set `test.passWithNoTests`.',
  )
  await project.write({ 'b.suite.yaml': suite('B').replace('url:', 'uri:') })
  const broken = await project.run('-t', 'Nobody')
  expect(broken.code).toBe(1)
  expect(broken.output).not.toContain('No test has a name')
  await project.write({ 'b.suite.yaml': suite('B') })
  expect((await project.run('-t', 'Nobody', '--passWithNoTests')).code).toBe(0)
  const whole = await project.run('-t', 'A > One', '--reporter=verbose')
  expect(whole.code).toBe(0)
  expect(whole.output).toContain('1 passed | 1 skipped (2)')
  expect(whole.output.match(/b\.suite\.yaml.* One/g)).toHaveLength(1)
  await project.run('--shard=1/2', '--reporter=blob')
  const merged = await project.run('--merge-reports')
  expect(merged.code).toBe(1)
  expect(merged.output).toContain('suitecase: The report of shard 2 of 2 is not in')
})

test('steps and suites that a filter leaves out have the names and ids of a whole run, however the suite is written', async () => {
  await using echo = await startLoggedEcho()
  const request = { url: '/anything/x' }
  const suite = {
    suite_name: 'Rows of {{kind}}',
    base_url: echo.url,
    variables: { password: 'hunterSecret77' },
    each: [{ kind: 'one' }, { kind: 'two' }],
    steps: [
      { name: 'Page {{n}} of {{kind}}', iterate: { range: '1..2', as: 'n' }, request },
      { name: 'Twice', iterate: { range: '1..2', as: 'n' }, request },
      { name: 'Named', step_id: 'own.id', request },
      { name: 'Last hunterSecret77', request },
    ],
  }
  const typed = (more: object): string =>
    `import { defineSuite } from 'suitecase'\ndefineSuite(${JSON.stringify({ ...suite, ...more })})\n`
  await using project = await createProject(
    {
      'inline.suite.yaml': JSON.stringify(suite),
      'left-out.suite.yaml': JSON.stringify({ ...suite, suite_name: 'Left out' }),
      'merged.suite.yaml': `suite_name: Merged\nbase_url: ${echo.url}\nsteps:\n  - { <<: { name: First }, request: &r { url: /get } }\n  - { <<: { name: Second }, request: *r }\n`,
      'typed.test.ts': typed({ node_id: 'typed' }),
      'typed-out.test.ts': typed({ node_id: 'typed-out', suite_name: 'Left out' }),
    },
    { test: '{ isolate: false }' },
  )
  const named = async (...args: string[]): Promise<unknown> => {
    expect((await project.run(...args)).code).toBe(0)
    const files = ['inline', 'left-out', 'typed', 'typed-out']
    const ids = ['merged', ...files.flatMap((file) => [`${file}.1`, `${file}.2`])]
    const all = await Promise.all(ids.map((id) => project.result(id)))
    return all.map(({ suite_name, steps_results }) => ({
      suite_name,
      steps: steps_results.map(({ qualified_step_id, step_name, line }) => [
        qualified_step_id,
        step_name,
        line,
      ]),
    }))
  }
  const whole = await named()
  expect(await named('-t', 'Rows.*Last|First', '--reporter=json', '--outputFile=run.json')).toEqual(whole)
  expect(await project.read('run.json')).not.toMatch(/hunterSecret77/i)
})

/** Suites that read each other's exports: the last reads `x` of the middle one, whose step reads `b` of the first. */
const chained = (url: string, id = '', key = ''): Record<string, string> => ({
  [`first${id}.suite.yaml`]: `
suite_name: ${id} First
base_url: ${url}
exports: [a, b]
steps:
  - { name: A, request: { url: /anything/a }, capture: { a: body.method } }
  - { name: B, request: { url: /anything/b }, capture: { b: body.method } }
`,
  [`middle${id}.suite.yaml`]: `
${key}
suite_name: ${id} Middle
base_url: ${url}
exports: [x]
steps:
  - { name: Reads A, request: { url: '/anything/reads-a-{{first${id}.a}}' } }
  - { name: X, request: { url: '/anything/x-{{first${id}.b}}' }, capture: { x: body.method } }
  - { name: Alone, request: { url: /anything/alone } }
`,
  [`last${id}.suite.yaml`]: `
suite_name: ${id} Last
base_url: ${url}
steps:
  - { name: Use, request: { url: '/anything/use-{{middle${id}.x}}' } }
`,
})

const CHAINS = [
  ['Reads A', 'a reads-a-GET'],
  ['Use', 'b use-GET x-GET'],
  ['Alone|Use', 'alone b use-GET x-GET'],
  ['Reads A|Use', 'a b reads-a-GET use-GET x-GET'],
  ['Alone', 'alone'],
  ['Use', 'a alone b reads-a-GET use-GET x-GET', 'prerequisites: all'],
] as const
const inChains = shareRun({}, '-t', CHAINS.map(([steps], id) => `^${id} .* > (${steps})$`).join('|'))

test.for(
  CHAINS.map(
    ([name, paths, key], id) => [name, paths, inChains((url) => chained(url, `${id}`, key))] as const,
  ),
)('a filter runs those steps of other suites that the chosen ones need: %s', async ([, paths, run]) => {
  const { code, echo } = await run()
  expect(code).toBe(0)
  expect(echo.sent().split(' ').toSorted().join(' ')).toBe(paths)
})

test('all of a suite that one in TypeScript depends on runs first, once for all suites of the file', async () => {
  await using echo = await startLoggedEcho()
  const typed = (name: string, more: object): string =>
    `defineSuite(${JSON.stringify({ suite_name: name, base_url: echo.url, ...more })})\n`
  const steps = [{ name: 'Step', request: { url: '/anything/step' } }]
  await using project = await createProject({
    ...chained(echo.url),
    'typed.test.ts': `import { defineSuite } from 'suitecase'
${typed('Reads', { steps: [{ name: 'Reads', request: { url: '/anything/reads-{{middle.x}}' } }] })}
${typed('One', { depends: ['middle'], steps })}
${typed('Two', { depends: ['middle'], steps })}`,
  })
  const { code } = await project.run('typed.test.ts', '-t', 'Step')
  expect(code).toBe(0)
  expect(echo.sent()).toBe('a b reads-a-GET x-GET alone step step')
})

test('many suites that read from one another, and that a filter leaves out, are gone through once', async () => {
  const suite = (at: number): string => `
suite_name: L${at}
node_id: l${at}
exports: [v${at}]
steps:
  - name: Step ${at}
    request: { url: "{{echo_url}}/get?n=${at === 0 ? '' : `{{l${at - 1}.v${at - 1}}}`}" }
    capture: { v${at}: status_code }
`
  await using project = await createProject(
    Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`l${at}.suite.yaml`, suite(at)])),
  )
  const { output } = await project.run('-t', 'Step 39')
  expect(output).toMatch(/Tests {2}1 passed \| 39 skipped/)
})
