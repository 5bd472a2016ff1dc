import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isJsonObject, type JsonObject } from '../../src/json.ts'
import { isOlder, LEAST } from '../main/setup/require-versions.ts'

/** How a package manager adds development dependencies, and runs a package's command. */
type Commands = { add: string; run: string }

/** What `init` has to know of a project. */
export type ProjectFacts = {
  folder: string
  manifest: JsonObject
  manifestText: string
  isJavaScript: boolean
  commands: Commands
  /** Packages that are still to be installed. */
  missing: string[]
}

const NPM: Commands = { add: 'npm install --save-dev', run: 'npx' }

/** Other package managers, by their lock files. */
const MANAGERS: Readonly<Record<string, Commands>> = {
  'pnpm-lock.yaml': { add: 'pnpm add --save-dev', run: 'pnpm exec' },
  'yarn.lock': { add: 'yarn add --dev', run: 'yarn' },
  'bun.lock': { add: 'bun add --dev', run: 'bunx' },
}

/** Reads what a project is. Rejects when the folder is not one, or its Vitest is too old. */
export async function readProject(folder: string): Promise<ProjectFacts> {
  const path = join(folder, 'package.json')
  const manifestText = await readText(path)
  if (manifestText === undefined)
    throw new Error(
      `There is no package.json in ${folder}: run this in the folder of your project, or begin one with npm init.`,
    )
  const names = (name: string): boolean => new RegExp(`"${name}"\\s*:`).test(manifestText)
  const lock = Object.keys(MANAGERS).find((name) => findAbove(folder, name) !== undefined)
  const commands = (lock && MANAGERS[lock]) || NPM
  await refuseVitest(folder, commands)
  return {
    folder,
    manifest: parseManifest(path, manifestText),
    manifestText,
    isJavaScript: !names('typescript') && isJavaScript(folder),
    commands,
    missing: ['vitest', 'suitecase'].filter((name) => !names(name)),
  }
}

/** The text of a file; undefined when there is none. */
export async function readText(path: string): Promise<string | undefined> {
  return existsSync(path) ? readFile(path, 'utf8') : undefined
}

/** Path of a file or folder in this folder or one above it. */
export function findAbove(folder: string, name: string): string | undefined {
  const path = join(folder, name)
  if (existsSync(path)) return path
  return dirname(folder) === folder ? undefined : findAbove(dirname(folder), name)
}

function parseManifest(path: string, text: string): JsonObject {
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (isJsonObject(manifest)) return manifest
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${(error as Error).message}`, { cause: error })
  }
  throw new Error(`Expected ${path} to hold an object.`)
}

/** True for a folder with JavaScript in it and no configuration of TypeScript. */
function isJavaScript(folder: string): boolean {
  const names = [folder, join(folder, 'src')].flatMap((place) =>
    existsSync(place) ? readdirSync(place) : [],
  )
  return !names.includes('tsconfig.json') && names.some((name) => /^jsconfig\.json$|\.[cm]?jsx?$/.test(name))
}

/** One that is not installed yet is judged by the plugin, when it runs. */
async function refuseVitest(folder: string, { add }: Commands): Promise<void> {
  const installed = findAbove(folder, 'node_modules/vitest/package.json')
  if (installed === undefined) return
  const { version } = JSON.parse(await readFile(installed, 'utf8')) as { version: string }
  if (isOlder(version, LEAST.vitest))
    throw new Error(
      `This project has Vitest ${version}, and suitecase needs ${LEAST.vitest.join('.')} or newer: ${add} vitest@latest`,
    )
}
