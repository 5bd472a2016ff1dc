import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isJsonObject, type JsonObject } from '../src/json.ts'

const CONFIG = `import { suites } from 'suitecase/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [suites()] })
`

const SUITE = `# yaml-language-server: $schema=../node_modules/suitecase/schema.json
suite_name: Example
base_url: '{{echo_url}}' # the echo server that comes with suitecase; put your own address here

variables:
  user: alice

steps:
  - name: Log in
    request:
      method: POST
      url: /post
      body: { username: '{{user}}', token: secret-1 }
    assert:
      status_code: 200
      body.json.username: '{{user}}'
    capture:
      token: body.json.token

  - name: Fetch the profile
    request:
      url: /get
      auth: { bearer: '{{token}}' }
    assert:
      status_code: 200
      body.headers.Authorization: { contains: Bearer }
`

const EDITOR_SETTING =
  '"yaml.schemas": { "./node_modules/suitecase/schema.json": ["*.suite.yaml", "*.suite.yml"] }'

const CONFIGS = ['vitest', 'vite'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.config.${ending}`),
)

/**
 * Adds what a project needs to its folder and returns what was done, in words; a file that exists is never touched.
 * Rejects when the folder is no project, or cannot be written to.
 */
export async function initProject(folder: string): Promise<string> {
  const manifest = await readManifest(folder)
  const lines = [
    await addConfig(folder, manifest),
    await add(folder, 'tests/example.suite.yaml', { text: SUITE, advice: 'it exists' }),
    await addEditorSetting(folder),
  ]
  const notes = [noteInstall(manifest), await noteIgnored(folder), 'Run it with: npx vitest']
  return `${lines.join('\n')}\n\n${notes.filter(Boolean).join('\n')}\n`
}

function noteInstall(manifest: JsonObject): string | undefined {
  const missing = ['vitest', 'suitecase'].filter((name) => !isDependency(manifest, name))
  return missing.length > 0
    ? `Install what is missing: npm install --save-dev ${missing.join(' ')}`
    : undefined
}

/** Reports are output: they belong into no repository. */
async function noteIgnored(folder: string): Promise<string | undefined> {
  const ignored = await readIfThere(join(folder, '.gitignore'))
  const isRepository = ignored !== undefined || existsSync(join(folder, '.git'))
  return isRepository && !ignored?.includes('.vitest')
    ? 'Add `.vitest/` to .gitignore: reports are written there'
    : undefined
}

async function readManifest(folder: string): Promise<JsonObject> {
  const path = join(folder, 'package.json')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error(`There is no package.json in ${folder}: run this in the folder of your project.`)
  })
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (isJsonObject(manifest)) return manifest
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${(error as Error).message}`, { cause: error })
  }
  throw new Error(`Expected ${path} to hold an object.`)
}

/** The ending says that the file is a module, also where the package says otherwise. */
async function addConfig(folder: string, manifest: JsonObject): Promise<string> {
  const existing = CONFIGS.find((name) => existsSync(join(folder, name)))
  if (existing === undefined) {
    const language = existsSync(join(folder, 'tsconfig.json')) ? 'ts' : 'js'
    const ending = manifest['type'] === 'module' ? language : `m${language}`
    return add(folder, `vitest.config.${ending}`, { text: CONFIG, advice: 'it exists' })
  }
  const text = await readFile(join(folder, existing), 'utf8')
  const advice = text.includes('suitecase/plugin')
    ? 'it has the plugin'
    : "add `suites()` from 'suitecase/plugin' to its `plugins`"
  return `kept    ${existing}: ${advice}`
}

async function addEditorSetting(folder: string): Promise<string> {
  const name = '.vscode/settings.json'
  const hasSchema = (await readIfThere(join(folder, name)))?.includes('suitecase/schema.json')
  const advice = hasSchema
    ? 'it has the schema of suite files'
    : `for completion in suite files, add ${EDITOR_SETTING}`
  return add(folder, name, { text: `{\n  ${EDITOR_SETTING}\n}\n`, advice })
}

/** The text of a file; undefined when there is none. */
async function readIfThere(path: string): Promise<string | undefined> {
  return existsSync(path) ? readFile(path, 'utf8') : undefined
}

async function add(folder: string, name: string, file: { text: string; advice: string }): Promise<string> {
  const path = join(folder, name)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, file.text, { flag: 'wx' })
    return `added   ${name}`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && existsSync(path)) return `kept    ${name}: ${file.advice}`
    throw new Error(`${name} could not be written: ${(error as Error).message}`, { cause: error })
  }
}

function isDependency(manifest: JsonObject, name: string): boolean {
  if (manifest['name'] === name) return true
  return ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].some((key) => {
    const names = manifest[key]
    return isJsonObject(names) && Object.hasOwn(names, name)
  })
}
