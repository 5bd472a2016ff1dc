import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { operators } from '../../src/assertion/operators/operators.ts'
import type { Operator } from '../../src/assertion/operators/operator.ts'
import { extensionFunctions } from '../../src/interpolation/sandbox/extension-functions.ts'
import { loadSuite } from '../../src/suite/load-suite.ts'
import { readExtension } from './read-extension.ts'

const folder = mkdtempSync(join(tmpdir(), 'suitecase-'))
const path = join(folder, 'suitecase.extend.ts')
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => read('export default {}'))

async function read(code: string): Promise<void> {
  writeFileSync(path, code)
  await readExtension(path, 'suitecase.extend.ts')
}

/** The mistakes in a module: place and message. */
async function mistakes(code: string): Promise<string[]> {
  const message = await read(code).then(
    () => '',
    (error: unknown) => (error as Error).message,
  )
  return [...message.matchAll(/^suitecase\.extend\.ts:(\S+) error bad-value: (.*)$/gm)].map(
    ([, at, text]) => `${at} ${text}`,
  )
}

/** The names of an extension that are known: functions, operators, and `auth` schemes that a suite may use. */
async function listKnown(): Promise<object> {
  const { money } = operators as Record<string, Operator>
  const text =
    'suite_name: S\nsteps:\n  - name: s\n    request: { url: http://h/, auth: { signed: { key: k } } }\n'
  const auth = await loadSuite({ path: 'a.suite.yaml', text }, { folder }).then(
    () => 'allowed',
    (error: unknown) => (error as Error).message.split('\n')[0],
  )
  return { functions: [...extensionFunctions.keys()], operator: [money?.about, money?.operand], auth }
}

test.each([
  [
    'export default { operatrs: {} }',
    [
      '1:18 An extension has no `operatrs` (did you mean `operators`?). It can have functions, operators, auth, beforeEach, afterEach, beforeSuite, afterSuite.',
    ],
  ],
  [
    'export default {\n  functions: { btoa() {}, mine() {} },\n}',
    ['2:16 The package already has `btoa` in `functions`: give yours another name.'],
  ],
  [
    'export default { operators: { equals: {}, field: {} } }',
    [
      '1:31 The package already has `equals` in `operators`: give yours another name.',
      '1:43 The package already has `field` in `operators`: give yours another name.',
    ],
  ],
  [
    'export default { auth: { none() {}, basic() {} } }',
    [
      '1:26 The package already has `none` in `auth`: give yours another name.',
      '1:37 The package already has `basic` in `auth`: give yours another name.',
    ],
  ],
  [
    "export default { operators: { a: { operand: 'text' }, b: { operand: 'txt' }, c: { operand: kinds.c } } }",
    [
      '1:60 Expected a kind of operand as a literal: any, text, number, flag, list.',
      '1:83 Expected a kind of operand as a literal: any, text, number, flag, list.',
    ],
  ],
  [
    'export default { functions: names }',
    ['1:18 Expected an object literal with literal names: the module is read without being run.'],
  ],
  [
    'export default { functions: { ...more, a() {} } }',
    ['1:18 Expected an object literal with literal names: the module is read without being run.'],
  ],
  [
    'export default { functions: { [name]: () => 1 } }',
    ['1:18 Expected an object literal with literal names: the module is read without being run.'],
  ],
  [
    'export default make()',
    ['1:16 Expected an object literal with literal names: the module is read without being run.'],
  ],
  [
    'export const functions = { a: () => 1 }',
    ['1:1 The module has no `export default`: write `export default defineExtension({ … })`.'],
  ],
  ['\nexport defalt {}', ['2:8 The module cannot be parsed here.']],
])('mistakes are told at their place, without running it: %s', async (code, told) => {
  expect(await mistakes(code)).toEqual(told)
})

test('a module that is not there is told', async () => {
  await expect(readExtension(join(folder, 'none.ts'), 'none.ts')).rejects.toThrow(
    /^The module of the option `extend` cannot be read: ENOENT/,
  )
})

test.each([
  ['as it is', (members: string) => `export default { ${members} }`],
  ['in a call', (members: string) => `export default defineExtension({ ${members} })`],
  [
    'as a constant',
    (members: string) => `const it = ({ ${members} } satisfies Extension) as never\nexport default it`,
  ],
  [
    'as a constant in a call',
    (members: string) =>
      `const about = 'x'\nconst it = { ${members.replace("'number'", "'number' as const").replace("'x'", 'about')} }\nexport default define(it!)`,
  ],
])('suites may use its names as soon as it was read: %s', async (_, write) => {
  const unknown = {
    functions: [],
    operator: [undefined, undefined],
    auth: 'a.suite.yaml:4:40 error unknown-field: Unknown field `signed` in `steps[0].request.auth`.',
  }
  expect(await listKnown()).toEqual(unknown)
  const members = `functions: { sign() {} }, operators: { "money": { about: 'x', operand: 'number' } }, auth: { signed() {} }, beforeEach() {}, afterEach() {}, beforeSuite() {}, afterSuite() {}`
  await read(write(members))
  const known = { functions: ['sign'], operator: ['x', 'number'], auth: 'allowed' }
  expect(await listKnown()).toEqual(known)
  // It may be read again, and its names are free again when it has no such members any more.
  await read(write(members))
  expect(await listKnown()).toEqual(known)
  await read(write('operators: { money: {} }'))
  expect(await listKnown()).toEqual({ ...unknown, operator: ['', 'any'] })
})
