import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { createProject } from '../testing/fixtures/project.ts'

const repository = join(import.meta.dirname, '../..')

const options = { suites: "{ extend: './suitecase.extend.ts' }" }
const files = {
  'suitecase.extend.ts': `import { defineExtension } from 'suitecase/extend'

export default defineExtension({
  operators: {
    money: { about: 'An amount in euros.', operand: 'number', judge: (actual, operand) => actual === operand },
    odd: { about: 'Anything odd.', judge: () => true },
  },
  auth: { signed(request, settings) { request.headers['x-signature'] = String(settings) } },
})
`,
  'tests/shop.suite.yaml': `suite_name: Shop
steps:
  - name: One
    request: { url: 'http://localhost:1/' }
`,
}

test('editors are told of the operators and schemes of a module', async () => {
  // With this variable it gets a process of its own, which has to end.
  await using project = await createProject(files, { ...options, env: { CI: '1' } })
  expect(await project.suitecase('types')).toMatchObject({
    code: 0,
    output: `added   suitecase.schema.json
added   suitecase.d.ts

Editors find it with this in .vscode/settings.json: "yaml.schemas": { "./suitecase.schema.json": ["*.suite.yaml", "*.suite.yml"] }
`,
  })
  const schema = JSON.parse(await project.read('suitecase.schema.json')) as object
  expect(JSON.stringify(schema)).toContain('"description":"An amount in euros."')
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  const isValid = (auth: object, assert: object): boolean =>
    validate({ suite_name: 'S', steps: [{ name: 'a', request: { url: '/', auth }, assert }] })
  expect(isValid({ signed: { key: 'k' } }, { body: { total: { money: 12, odd: ['x'] } } })).toBe(true)
  expect(isValid({ signed: 1 }, { headers: { total: { money: '{{sum}}' } } })).toBe(true)
  expect(isValid({ signed: 1 }, { headers: { total: { money: 'twelve' } } })).toBe(false)
  expect(isValid({ sgined: 1 }, {})).toBe(false)
  expect(isValid({ signed: 1, bearer: 'x' }, {})).toBe(false)
})

const typed = `import { defineSuite } from 'suitecase'
const request = { url: '/' }
defineSuite({
  suite_name: 'S',
  variables: { n: 1 },
  steps: [
    { name: 'a', request: { url: '/', auth: { signed: { key: ({ variables }) => variables.n } } } },
    { name: 'b', request, assert: { body: { total: { money: 12, odd: [1] } } } },
    { name: 'c', request, assert: { 'body.total': { money: ({ variables }) => variables.n } } },
    { name: 'built-in', request, assert: { body: { id: { type: 'string' }, user: { name: 'Ann', age: { money: 1 } } } } },
    { name: 'template', request, assert: { headers: { total: { contains: 'x', money: '{{n}}' } } } },
    // @ts-expect-error -- a number
    { name: 'd', request, assert: { body: { total: { money: 'x' } } } },
    // @ts-expect-error -- no such scheme
    { name: 'e', request: { url: '/', auth: { sgined: 1 } } },
  ],
})
`

const captures = Array.from({ length: 60 }, (_, at) => `n${at}: () => ${at}, id: 'body.id'`)
const long = `import { buildSuite } from 'suitecase'
buildSuite({ suite_name: 'S' })
${captures.map((capture) => `  .step({ name: 'a', request: { url: '/' }, capture: { ${capture} } })`).join('\n')}
  .step({ name: 'b', request: { url: ({ variables }) => variables.n0.toFixed(variables.n59) } })
`

test('suites in TypeScript know the operators and schemes by type, which are written once, and what sixty steps captured', async () => {
  await using project = await createProject({ ...files, 'a.test.ts': typed, 'long.test.ts': long }, options)
  await project.suitecase('types')
  expect((await project.suitecase('types')).output).toContain(
    'kept    suitecase.schema.json: it is up to date\nkept    suitecase.d.ts: it is up to date\n',
  )
  // Checked as a source, since those of packages are not checked here.
  await project.write({ 'declared.ts': await project.read('suitecase.d.ts') })
  const tsc = [
    join(repository, 'node_modules/typescript/bin/tsc'),
    ...['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'],
    ...['--types', 'node', '--typeRoots', join(repository, 'node_modules/@types')],
    ...['--singleThreaded', '--skipLibCheck', 'a.test.ts', 'long.test.ts', 'declared.ts'],
  ]
  const { stdout } = await promisify(execFile)(process.execPath, tsc, { cwd: project.root }).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout.split('\n').filter((line) => /^(?!.*node_modules\/).*error TS/.test(line))).toEqual([])
})

test('without a module there is nothing to write', async () => {
  await using project = await createProject({})
  expect(await project.suitecase('types')).toMatchObject({
    code: 1,
    output:
      'suitecase: The option `extend` of suites() is not set, so the schema of the package is already complete.\n',
  })
  await using broken = await createProject(
    { ...files, 'suitecase.extend.ts': 'export default { operatrs: {} }\n' },
    options,
  )
  const { code, output } = await broken.suitecase('types')
  expect(output).toContain('suitecase.extend.ts:1:18 error bad-value: An extension has no `operatrs`')
  expect(code).toBe(1)
})
