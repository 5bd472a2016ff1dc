import { describe, expect, test } from 'vitest'
import { createProject } from './testing/fixtures/project.ts'
import { shareRun } from './testing/fixtures/shared-run.ts'

/** The places in a file where an output reports failures, in order and once each. */
function listPlaces(output: string, file: string): string[] {
  const pattern = new RegExp(`❯ ${file.replaceAll('.', '\\.')}:(\\d+:\\d+)`, 'g')
  return [...new Set([...output.matchAll(pattern)].map((match) => match[1] as string))]
}

/** Line and column of a marker in a text. */
function placeOf(text: string, mark: string): string {
  const before = text.slice(0, text.indexOf(mark)).split('\n')
  return `${before.length}:${(before.at(-1) as string).length + 1}`
}

const FAILING = `import { buildSuite, defineSuite as suite, type Step } from 'suitecase'
import { crud } from './crud.ts'

enum Kind { One = 'one' }
const login = {
  name: 'a constant', request: { url: '/get' },
  assert: { body: { args: { a: 'in a constant' } } },
} satisfies Step
const make = (name: string): Step => ({ name, request: { url: '/get' }, assert: { 'body.made': true } })

// suite({ steps: [{ assert: { status_code: 500 } }] })
suite({
  steps: [
    { assert: { "body.url": 601, headers: { 'x-none': 'a header' } }, request: { url: '/get' }, name: 'reordered' },
    login,
    make('made'),
    { name: 'functions', request: { url: '/get?k=' + Kind.One }, assert: { custom: [{ condition: ({ body }: { body: any }) => body.no.way }] },
      capture: { token: ({ body }) => body.nothing } },
    { name: 'bad url', request: { url: ({ variables }) => (variables.nobody as any).x } },
    { name: 'unresolved', request: { url: '/get' }, assert: { body: { url: 'ends {{nobody}}' } } },
  ],
  base_url: '{{echo_url}}', suite_name: 'Literal',
})

buildSuite({ suite_name: 'Chain', base_url: '{{echo_url}}' })
  .step({ name: 'first', request: { url: '/get' }, capture: { id: () => 7 } })
  .step({ name: 'second', request: { url: ({ variables }) => '/get?id=' + variables.id.toFixed(1) }, assert: { 'body.args.id': 'in a chain' } })

crud('users')
`

const CRUD = `import { defineSuite } from 'suitecase'
export const crud = (name: string): void => defineSuite({
  suite_name: name, base_url: '{{echo_url}}', steps: [{ name: 'elsewhere', request: { url: '/get' }, assert: { status_code: 602 } }],
})
`

const BROKEN = `import { defineSuite } from 'suitecase'
import { describe, expect, test } from 'vitest'

defineSuite({
  suite_nam: 'Broken', base_url: '{{echo_url}}', exports: ['x'],
  steps: [
    { name: 'one', asert: { status_code: 200 }, request: { url: () => '/get', timeout: () => 5 } },
    { name: 'two', request: { url: '/get?{{x +}}' }, assert: { body: { id: { minLenght: 3 }, at: { pattern: '(' } } } },
    { name: 'three', request: { url: '/get', body: new Map() }, capture: { a: 'body.[' }, skip: async () => true },
    { name: () => 'four', request: { url: '/get' }, assert: { custom: [{ condition: async () => 1 }] } },
  ],
} as never)
defineSuite({ suite_name: 'Whole', base_url: '{{echo_url}}', steps: [{ name: 'fine', request: { url: '/get' } }] })
defineSuite({ suite_name: 'Needs', base_url: '{{echo_url}}', depends: ['nothing'], steps: [{ name: 'never', request: { url: '/get' } }] })
defineSuite({ suite_name: 'Calls', base_url: '{{echo_url}}', steps: [{ name: 'never', call: { suite: './gone.suite.yaml' } }] })
defineSuite({ suite_name: 'Empty', base_url: '{{echo_url}}', steps: [] })
defineSuite(new Map() as never)
test('by hand', () => {
  expect(() => defineSuite(undefined as never)).toThrow(/^Expected a suite to be an object/)
})
`

const SECRETS = `import { defineSuite } from 'suitecase'
defineSuite({
  suite_name: 'Secrets', base_url: '{{echo_url}}',
  variables: { password: 'canary-variable' },
  steps: [
    { name: 'one', request: { url: ({ variables }) => '/get?p=' + variables.password, auth: { bearer: () => 'canary-header' } },
      assert: { body: { args: { p: 'canary-variable-not' } }, custom: [{ condition: ({ variables }) => { throw new Error(variables.password) } }] } },
  ],
})
`

describe('suites in TypeScript', () => {
  const share = shareRun({ test: '{ isolate: false }' })

  const failing = share(() => ({ 'failing.test.ts': FAILING, 'crud.ts': CRUD }))
  test('failures point at what was written, and say what happened', async () => {
    const { output, project } = await failing()
    const marks = [
      `'a header'`,
      '601',
      `'in a constant'`,
      `make('made')`,
      '({ body }: {',
      '({ body }) => body.nothing',
      '({ variables }) => (variables.nobody',
      `'ends {{nobody}}'`,
      `'in a chain'`,
      `crud('users')`,
    ]
    expect(listPlaces(output, 'failing.test.ts')).toEqual(marks.map((mark) => placeOf(FAILING, mark)))
    expect(output).toContain(
      'Expected the condition `({ body }) => body.no.way` to be true, but it failed with `Cannot read properties of undefined',
    )
    expect(output).toContain(
      'The capture `token` failed: The expression `({ body }) => body.nothing` failed. Expected a value, got undefined',
    )
    expect(output).not.toContain('plugin/define')
    const ids = await Promise.all(['failing', 'failing-2', 'failing-3'].map((id) => project.result(id)))
    expect(ids.map(({ suite_name }) => suite_name)).toEqual(['Literal', 'Chain', 'users'])
    expect(ids[1]?.steps_results[1]?.request_details?.full_url).toMatch(/\?id=7\.0$/)
  })

  const built = share(() => ({
    'built.test.ts': `import { buildSuite } from 'suitecase'
import { expect, test } from 'vitest'
buildSuite({ suite_name: 'Wrong', steps: { a: 1 } } as any).step({ name: 'never', request: { url: '{{echo_url}}/get' } })
buildSuite({ suite_name: 'Whole' }).step({ name: 'fine', request: { url: '{{echo_url}}/get' } })
test('by hand', () => {
  expect(() => buildSuite(undefined as never)).toThrow(/^Expected a suite to be an object/)
})
`,
  }))
  test('what is no suite, or has no list of steps, is told by `buildSuite` as by `defineSuite`', async () => {
    const { output } = await built()
    expect(output).toContain(
      `built.test.ts:3:${"buildSuite({ suite_name: 'Wrong', steps: {".length} error bad-value: Expected \`steps\` to be a list`,
    )
    expect(output).toContain('built.test.ts (3 tests | 1 skipped)')
  })

  const wrong = share(() => ({ 'broken.test.ts': BROKEN }))
  test('a definition with mistakes fails alone, with all of them at their places', async () => {
    const { output, project } = await wrong()
    // Each check decides whether to point at a key or at its value.
    const found = output.replaceAll(/(broken\.test\.ts:\d+):\d+/g, '$1')
    const at = (mark: string): string => `broken.test.ts:${placeOf(BROKEN, mark).split(':')[0]} error`
    for (const problem of [
      `${at('suite_nam:')} unknown-field: Unknown field \`suite_nam\`.`,
      `${at(`['x']`)} bad-value: A suite in TypeScript cannot have \`exports\``,
      `${at('asert')} unknown-field: Unknown field \`asert\` in \`steps[0]\`.`,
      `${at('() => 5')} bad-value: A function is not allowed at \`steps[0].request.timeout\`.`,
      `${at('{{x +}}')} bad-expression:`,
      `${at('3 }, at')} unknown-field: Unknown check \`minLenght\``,
      `${at(`'('`)} bad-pattern:`,
      `${at('new Map()')} bad-value: Expected \`steps[2].request.body\` to be data, got an instance of Map.`,
      `${at(`'body.['`)} bad-path:`,
      `${at("'four'")} bad-value: A function is not allowed at \`steps[3].name\`.`,
      `${at(`'nothing'`)} unknown-reference: No suite has the node id \`nothing\`.`,
      `${at(`'./gone`)} unknown-reference: The suite file \`./gone.suite.yaml\` does not exist.`,
      `${at('[] }')} bad-value:`,
      `${at('new Map() as never')} bad-value: Expected the suite to be data, got an instance of Map.`,
    ])
      expect(found).toContain(problem)
    // What is refused is not reported as missing too.
    expect(found).not.toContain('missing-field: `steps[3]')
    expect(output).toContain('broken.test.ts (10 tests | 8 skipped)')
    const broken = await project.result('broken')
    expect(broken).toMatchObject({ status: 'failure', steps_not_run: 4, steps_executed: 0 })
    expect(broken.steps_results.map(({ step_name, status }) => [step_name, status])).toEqual([
      ['one', 'not_run'],
      ['two', 'not_run'],
      ['three', 'not_run'],
      ['Step 4', 'not_run'],
    ])
    expect(await project.result('broken-2')).toMatchObject({ suite_name: 'Whole', status: 'success' })
    expect(await project.result('broken-3')).toMatchObject({ suite_name: 'Needs', status: 'failure' })
  })

  const secret = share(() => ({ 'secrets.test.ts': SECRETS }))
  test('secrets of a suite in TypeScript are in no output', async () => {
    const { output, project } = await secret()
    const files = await Promise.all(
      ['index.html', 'performance.json', 'suites/secrets.json'].map((name) => project.report(name)),
    )
    // Vitest prints the lines of the test file around a failure. What they spell out is shown, as in any test.
    const printed = output.split('\n').filter((line) => !/^\s*\d*\s*\|/.test(line))
    for (const text of [...files, printed.join('\n')])
      expect(text).not.toMatch(/canary-(?:variable(?!-not)|header)/)
  })
})

test('suites need the plugin, and say so', async () => {
  await using project = await createProject({
    'alone.test.ts':
      "import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: 'Alone', steps: [] })\n",
    'vitest.config.ts': 'export default {}',
  })
  const { code, output } = await project.run()
  expect(code).toBe(1)
  expect(output).toContain(
    'Suites in TypeScript need the plugin: add `suites()` from `suitecase/plugin` to the plugins of the Vitest configuration. A project with its own configuration file needs it there.',
  )
})
