import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resolveOptions } from './options.ts'
import { SuiteFiles } from './suite-files.ts'

function createFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'fingerprint-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  return root
}

const suite = (nodeId: string, step: string): string =>
  `suite_name: ${nodeId}\nnode_id: ${nodeId}\nsteps:\n  - name: One\n    ${step}\n`

/** Fingerprints of the reader and of a suite that nobody names, before and after an edit. */
async function compare(
  files: Record<string, string>,
  edit: Record<string, string>,
): Promise<Record<'reader' | 'other', boolean | undefined>> {
  const root = createFolder()
  const look = async (texts: Record<string, string>): Promise<(string | undefined)[]> => {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(root, name), text)
    const paths = Object.keys({ ...files, ...edit }).map((name) => join(root, name))
    const known = new SuiteFiles({ root, shownFrom: root }, resolveOptions(), () => Promise.resolve(paths))
    await known.index()
    return ['reader.suite.yaml', 'other.suite.yaml'].map((name) => known.fingerprint(join(root, name)))
  }
  const before = await look({ 'other.suite.yaml': suite('other', 'request: { url: / }'), ...files })
  const after = await look(edit)
  const [reader, other] = before.map((print, index) => print !== undefined && print !== after[index])
  return { reader, other }
}

const other = { 'other.suite.yaml': suite('other', 'request: { url: / }') }

test.each([
  ['by its node id', "request: { url: '/{{auth.token}}' }"],
  ['by its file, whatever its node id is', 'call: { suite: login.suite.yaml }'],
  ['by its quoted file', "call: { suite: './login.suite.yaml', step: one }"],
])('an edit of a suite that is named %s changes the fingerprint of its reader alone', async (_, step) => {
  const files = {
    ...other,
    'reader.suite.yaml': suite('reader', step),
    'login.suite.yaml': suite('auth', 'request: { url: /a }'),
  }
  const edit = { 'login.suite.yaml': suite('auth', 'request: { url: /b }') }
  expect(await compare(files, edit)).toEqual({ reader: true, other: false })
})

test('so does an edit of a suite that the named one names in turn, and one that takes over its node id', async () => {
  const files = {
    ...other,
    'reader.suite.yaml': suite('reader', "request: { url: '/{{auth.token}}' }"),
    'auth.suite.yaml': suite('auth', 'call: { suite: base.suite.yaml }'),
    'base.suite.yaml': suite('root', 'request: { url: /a }'),
  }
  const edited = await compare(files, { 'base.suite.yaml': suite('root', 'request: { url: /b }') })
  expect(edited).toEqual({ reader: true, other: false })
  const twin = await compare(files, { 'base.suite.yaml': suite('reader', 'request: { url: /a }') })
  expect(twin).toEqual({ reader: true, other: false })
})

test('a suite that names a file outside of the project has none', async () => {
  const root = createFolder()
  const path = join(root, 'a.suite.yaml')
  writeFileSync(path, suite('a', 'call: { suite: ../shared/login.yaml }'))
  const known = new SuiteFiles({ root, shownFrom: root }, resolveOptions(), () => Promise.resolve([path]))
  await known.index()
  expect(known.fingerprint(path)).toBeUndefined()
})
