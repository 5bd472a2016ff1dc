import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProject } from '../testing/fixtures/project.ts'
import { SKILL } from './templates.ts'

const steps = "steps:\n  - name: One\n    request: { url: '{{base}}/x' }\n    assert: { status_code: 200 }\n"
const options = { suites: "{ variables: { base: 'http://localhost:1' }, redact: ['pin'] }" }
const files = {
  'good.suite.yaml': `suite_name: Good\n${steps}`,
  'reads.suite.yaml': `suite_name: Reads\n${steps.replace('x', '{{good.token}}')}`,
  'bad.suite.yaml': `suite_name: Bad\nvariables:\n  pin: hidden-1\n${steps.replace('status_code: 200', 'status_cod: hidden-1')}`,
}

test('all mistakes of all files are found, nothing is sent', async () => {
  // With this variable it gets a process of its own, which has to end.
  await using project = await createProject(files, { ...options, env: { CI: '1' } })
  const { code, output } = await project.suitecase('check', '--json')
  expect(JSON.parse(output)).toEqual({
    version: 1,
    files: 3,
    problems: [
      {
        file: 'bad.suite.yaml',
        line: 7,
        column: 15,
        code: 'unknown-field',
        severity: 'error',
        message: 'Unknown field `status_cod` in `assert`.',
        hint: 'Did you mean `status_code`?',
      },
      expect.objectContaining({
        file: 'reads.suite.yaml',
        line: 4,
        code: 'unknown-export',
        severity: 'error',
      }),
    ],
  })
  expect(code).toBe(1)
})

test('chosen files are printed with their lines, without what is secret in them', async () => {
  await using project = await createProject(files, options)
  const bad = await project.suitecase('check', './bad.suite.yaml')
  expect(bad.output).toContain('> 7 |     assert: { status_cod: ******** }')
  expect(bad.output).toMatch(/\n1 suite file: 1 error\n$/)
  expect(bad.code).toBe(1)
  for (const part of ['good', './go'])
    expect(await project.suitecase('check', part)).toMatchObject({
      code: 0,
      output: '1 suite file: no problems\n',
    })
})

test('a `root` in the configuration counts as it does in a run', async () => {
  const config = `import { suites } from 'suitecase/plugin'
export default { root: 'api', plugins: [suites({ app: './app.ts', extend: './extend.ts' })] }
`
  await using project = await createProject({
    'vitest.config.ts': config,
    'api/app.ts': 'export default () => new Response()\n',
    'api/extend.ts': 'export default { operators: { odd: { about: "Odd.", judge: () => true } } }\n',
    'api/one.suite.yaml': `suite_name: One\n${steps.replace('{{base}}', '')}`,
    'other.suite.yaml': 'steps: []\n',
  })
  expect(await project.suitecase('check')).toMatchObject({
    code: 0,
    output: '1 suite file: no problems\n',
  })
  expect((await project.suitecase('types')).output).toMatch(/^added {3}suitecase\.schema\.json\n/)
})

test('files that are only called are checked, too', async () => {
  await using project = await createProject(
    {
      'good.suite.yaml': `suite_name: Good\nsteps:\n  - { name: A, call: { suite: shared/a.yaml } }\n  - { name: B, call: { suite: shared/b.yaml } }\n`,
      'shared/a.yaml': `suite_name: A\nsteps:\n  - { name: B, call: { suite: b.yaml } }\n`,
      'shared/b.yaml': `suite_name: B\n${steps.replace('status_code', 'status_cod')}`,
      'shared/c.yaml': 'steps: 1\n',
    },
    options,
  )
  const { code, output } = await project.suitecase('check', 'good')
  expect(output).toMatch(/^shared\/b\.yaml:5:\d+ error unknown-field: /)
  expect(output).toMatch(/\n3 suite files: 1 error\n$/)
  expect(code).toBe(1)
})

test('a warning alone does not fail', async () => {
  await using project = await createProject(
    {
      ...files,
      'bad.suite.yaml': undefined,
      'reads.suite.yaml': `suite_name: Reads\n${steps.replace('x', '{{tokn}}')}`,
    },
    options,
  )
  const { code, output } = await project.suitecase('check')
  expect(output).toMatch(/^reads\.suite\.yaml:4:\d+ warning unknown-variable: /)
  expect(output).toMatch(/\n2 suite files: 1 warning\n$/)
  expect(code).toBe(0)
})

test('files that suites share are told of once', async () => {
  const reader = `suite_name: R\nuse: [shared.yaml]\n${steps}`
  await using project = await createProject(
    {
      'shared.yaml': "defaults:\n  headers: { x: '{{tokn}}' }\n",
      'a.suite.yaml': reader,
      'b.suite.yaml': reader,
      'c.suite.yaml': reader,
    },
    options,
  )
  const { code, output } = await project.suitecase('check')
  expect(output.split('\n\n').map((block) => block.split('\n')[0])).toEqual([
    'shared.yaml:2:20 warning unknown-variable: Nothing gives `tokn` a value: `tokn` is not a variable or capture here, nor a node id.',
    '3 suite files: 1 warning',
  ])
  expect(code).toBe(0)
})

test('what the option `defaults` says is told by its name', async () => {
  await using project = await createProject(
    {
      'good.suite.yaml': files['good.suite.yaml'],
      'reads.suite.yaml': files['good.suite.yaml'].replace('Good', 'B'),
    },
    { suites: "{ variables: { base: 'x' }, defaults: { headers: { 'x-t': '{{tokn}}' } } }" },
  )
  expect((await project.suitecase('check')).output.split('\n')[0]).toMatch(
    /^the option `defaults`:\d+:\d+ warning unknown-variable: Nothing gives `tokn` a value/,
  )
  expect((await project.run()).output).toMatch(/Nothing gives `tokn` a value[^]*?\(the option `defaults`\)/)
})

test('what cannot be checked is an error', async () => {
  await using project = await createProject(files, options)
  expect(await project.suitecase('check', 'nope')).toMatchObject({
    code: 1,
    output: 'suitecase: No suite file matches `nope`: see the option `include` of suites().\n',
  })
  expect((await project.suitecase('check', 'good.suite.yaml:5')).output).toBe('1 suite file: no problems\n')
  await using empty = await createProject({ 'vitest.config.ts': 'export default {}' })
  const { code, output } = await empty.suitecase('check')
  expect(output).toContain('There is no Vitest configuration with the plugin here')
  expect(code).toBe(1)
})

test('the lines of a configuration that is wrong can be read', async () => {
  await using project = await createProject({ ...files, 'vitest.config.ts': 'export default {' })
  const { code, output } = await project.suitecase('check')
  expect(output).toMatch(/^\[PARSE_ERROR\] Expected `}` but found `EOF`\n   ╭─\[ vitest\.config\.ts:1:/m)
  expect(output).not.toContain(String.raw`\x1b`)
  expect(code).toBe(1)
})

test('the suites that the skill shows are right', async () => {
  const [orders, names] = [...SKILL.matchAll(/```yaml\n(.*?)```/gs)].map(([, suite]) => suite)
  const app = {
    'orders.suite.yaml': orders,
    'names.suite.yaml': names,
    'users.csv': 'stage\ndev\n',
    'a.png': '',
    'shop.schema.json': '{}',
    '.env': 'PASSWORD=secret',
    'app.ts': 'export default () => new Response()\n',
  }
  await using project = await createProject(app, { suites: "{ app: './app.ts' }" })
  expect(await project.suitecase('check')).toMatchObject({ code: 0, output: '2 suite files: no problems\n' })
})

test('a configuration of another name is read', async () => {
  await using project = await createProject({ 'good.suite.yaml': files['good.suite.yaml'] }, options)
  await rename(join(project.root, 'vitest.config.ts'), join(project.root, 'vitest.api.config.ts'))
  expect(await project.suitecase('check')).toMatchObject({
    code: 1,
    output: expect.stringContaining('pass it with `--config`'),
  })
  expect(await project.suitecase('check', '--config', 'vitest.api.config.ts')).toMatchObject({
    code: 0,
    output: '1 suite file: no problems\n',
  })
  expect(await project.suitecase('check', '--config=nowhere.ts')).toMatchObject({
    code: 1,
    output: 'suitecase: There is no file `nowhere.ts`.\n',
  })
})
