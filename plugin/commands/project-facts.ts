import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readMessage } from '../../src/errors.ts'
import type { JsonObject } from '../../src/json.ts'
import { findAbove, readTextIfThere } from '../../src/read-file.ts'
import { isOlder, LEAST } from '../main/setup/require-versions.ts'
import { relativePath } from '../../src/resolve-path.ts'

/** Package managers by lock file. `peers` are packages that the user has to install. npm is the fallback. */
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
      `There is no package.json in ${folder}: run this in the folder of your project, or start one with npm init.`,
    )
  const commands = MANAGERS.find(({ lock }) => findAbove(folder, lock)[0]) as (typeof MANAGERS)[number]
  const manifests = String(findAbove(folder, 'package.json').map((each) => readTextIfThere(each)))
  const names = (name: string): boolean => new RegExp(`"${name}"\\s*:`).test(manifests)
  const [installed] = findAbove(folder, 'node_modules/vitest/package.json')
  const { version } = installed === undefined ? {} : readManifest(installed)
  // If it is not installed yet, the plugin checks the version when it runs.
  if (typeof version === 'string' && isOlder(version, LEAST.vitest))
    throw new Error(
      `This project has Vitest ${version}, but suitecase needs ${LEAST.vitest.join('.')} or newer: ${commands.add} vitest@${LEAST.vitest[0]}`,
    )
  const schema = 'node_modules/suitecase/schema.json'
  return {
    folder,
    manifest: readManifest(path),
    isJavaScript: !names('typescript') && !existsSync(join(folder, 'tsconfig.json')),
    commands,
    /** Packages that still have to be installed. */
    missing: [...(commands.peers ?? []), 'vitest', 'suitecase'].filter((name) => !names(name)),
    /** Relative path to the schema. */
    schema: relativePath(folder, resolve(folder, findAbove(folder, schema)[0] ?? schema)),
  }
}

function readManifest(path: string): JsonObject {
  try {
    return JSON.parse(readTextIfThere(path) ?? '') as JsonObject
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${readMessage(error)}`, { cause: error })
  }
}
