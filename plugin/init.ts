import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

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

const EDITOR = `{
  "yaml.schemas": { "./node_modules/suitecase/schema.json": ["*.suite.yaml", "*.suite.yml"] }
}
`

const CONFIGS = ['vitest', 'vite'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.config.${ending}`),
)

/** Adds what a project needs to its folder and returns what was done, in words; a file that exists is never touched. */
export async function initProject(folder: string): Promise<string> {
  const config = CONFIGS.find((name) => existsSync(join(folder, name)))
  const lines = [
    config
      ? `kept    ${config}: add \`suites()\` from 'suitecase/plugin' to its \`plugins\``
      : await add(folder, 'vitest.config.ts', CONFIG),
    await add(folder, 'tests/example.suite.yaml', SUITE),
    await add(folder, '.vscode/settings.json', EDITOR),
  ]
  return `${lines.join('\n')}\n\nRun it with: npx vitest\n`
}

async function add(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeFile(path, text, { flag: 'wx' })
    return `added   ${name}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return `kept    ${name}: it exists`
  }
}
