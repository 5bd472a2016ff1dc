import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readMessage } from '../../src/errors.ts'
import type { JsonObject } from '../../src/json.ts'
import { readTextIfThere } from '../../src/read-file.ts'
import { relativePath } from '../../src/resolve-path.ts'
import { isOlder, LEAST } from '../main/setup/require-versions.ts'

/** How each package manager, known by its lock file, adds development dependencies and runs a package's command, and the peers of packages that it leaves to the user. npm is last, as the fallback. */
const MANAGERS: readonly { lock: string; add: string; run: string; peers?: readonly string[] }[] = [
  { lock: 'pnpm-lock.yaml', add: 'pnpm add --save-dev', run: 'pnpm exec' },
  { lock: 'yarn.lock', add: 'yarn add --dev', run: 'yarn', peers: ['vite'] },
  { lock: 'bun.lock', add: 'bun add --dev', run: 'bunx' },
  { lock: '', add: 'npm install --save-dev', run: 'npx' },
]

/** What `init` needs to know about a project. */
export type ProjectFacts = ReturnType<typeof readProject>

/** Reads the facts about a project. Throws when the folder is not one, or its Vitest is too old. */
export function readProject(folder: string) {
  const path = join(folder, 'package.json')
  if (!existsSync(path))
    throw new Error(
      `There is no package.json in ${folder}: run this in the folder of your project, or begin one with npm init.`,
    )
  const commands = MANAGERS.find(({ lock }) => findAbove(folder, lock)[0]) as (typeof MANAGERS)[number]
  const manifests = String(findAbove(folder, 'package.json').map((each) => readTextIfThere(each)))
  const names = (name: string): boolean => new RegExp(`"${name}"\\s*:`).test(manifests)
  const manifest = readManifest(path)
  const scripts = (manifest['scripts'] ?? {}) as Readonly<Record<string, string>>
  const runsVitest = Object.values(scripts).some((script) => /\bvitest\b(?!\.)/.test(script))
  const { test = 'no test specified' } = scripts
  refuseOldVitest(folder, manifests, commands.add)
  const schema = 'node_modules/suitecase/schema.json'
  return {
    folder,
    manifest,
    isModule: manifest['type'] === 'module',
    scripts,
    runsVitest,
    /** True if the tests are run by another tool. */
    runsOther: !runsVitest && !test.includes('no test specified'),
    isJavaScript: !names('typescript') && !existsSync(join(folder, 'tsconfig.json')),
    commands,
    /** Packages that still have to be installed. */
    missing: [...(commands.peers ?? []), 'vitest', 'suitecase'].filter((name) => !names(name)),
    /** Path from the folder to the schema of suites. A workspace has its packages in the root. */
    schema: relativePath(folder, findAbove(folder, schema)[0] ?? join(folder, schema)),
  }
}

/** If it is not installed yet, the plugin checks the version when it runs. */
function refuseOldVitest(folder: string, manifests: string, add: string): void {
  const [installed] = findAbove(folder, 'node_modules/vitest/package.json')
  const { version } = installed === undefined ? {} : readManifest(installed)
  if (typeof version !== 'string' || !isOlder(version, LEAST.vitest)) return
  // Each of these needs the Vitest of its own version.
  const own = manifests.match(/@vitest\/(?:browser|coverage|ui)[\w-]*(?="\s*:)/g) ?? []
  const packages = [...new Set(['vitest', ...own])].map((name) => `${name}@${LEAST.vitest[0]}`)
  throw new Error(
    `This project has Vitest ${version}, and suitecase needs ${LEAST.vitest.join('.')} or newer: ${add} ${packages.join(' ')}`,
  )
}

/** Paths of the file in this folder and in those above it, nearest first. */
function findAbove(folder: string, name: string): string[] {
  const further = dirname(folder) === folder ? [] : findAbove(dirname(folder), name)
  return [join(folder, name), ...further].filter((path) => existsSync(path))
}

function readManifest(path: string): JsonObject {
  try {
    return JSON.parse(readTextIfThere(path) ?? '') as JsonObject
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${readMessage(error)}`, { cause: error })
  }
}
