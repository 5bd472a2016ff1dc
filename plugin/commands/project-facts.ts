import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isJsonObject, type JsonObject } from '../../src/json.ts'
import { isOlder, LEAST } from '../main/setup/require-versions.ts'

/** What `init` has to know of a project. */
export type ProjectFacts = {
  folder: string
  manifest: JsonObject
  manifestText: string
  scripts: Readonly<Record<string, string>>
  isJavaScript: boolean
  /** How its package manager adds development dependencies, runs a package's command, and installs what the lock file says. */
  commands: { add: string; run: string; ci: string }
  /** Packages that are still to be installed. */
  missing: string[]
}

const MANAGERS: Readonly<Record<string, ProjectFacts['commands'] & { locks: string[] }>> = {
  npm: { locks: ['package-lock.json'], add: 'npm install --save-dev', run: 'npx', ci: 'npm ci' },
  pnpm: {
    locks: ['pnpm-lock.yaml'],
    add: 'pnpm add --save-dev',
    run: 'pnpm exec',
    ci: 'corepack enable && pnpm install --frozen-lockfile',
  },
  yarn: {
    locks: ['yarn.lock'],
    add: 'yarn add --dev',
    run: 'yarn',
    ci: 'corepack enable && yarn install --immutable',
  },
  bun: {
    locks: ['bun.lock', 'bun.lockb'],
    add: 'bun add --dev',
    run: 'bunx',
    ci: 'npm install --global bun && bun install --frozen-lockfile',
  },
}

/** Reads what a project is. Rejects when the folder is not one, or its Vitest is too old. */
export async function readProject(folder: string): Promise<ProjectFacts> {
  const path = join(folder, 'package.json')
  const manifestText = await readText(path)
  if (manifestText === undefined)
    throw new Error(
      `There is no package.json in ${folder}: run this in the folder of your project, or begin one with npm init.`,
    )
  const manifest = parseManifest(path, manifestText)
  const commands = MANAGERS[findManager(folder, manifest)] as (typeof MANAGERS)[string]
  await refuseVitest(folder, manifest, commands)
  return {
    folder,
    manifest,
    manifestText,
    scripts: readTexts(manifest['scripts']),
    isJavaScript: isJavaScript(folder, manifest),
    commands,
    missing: ['vitest', 'suitecase'].filter((name) => findRange(manifest, name) === undefined),
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

/** The texts of a map, by name. */
function readTexts(value: unknown): Record<string, string> {
  const entries = Object.entries(isJsonObject(value) ? value : {})
  const texts: Record<string, string> = Object.create(null)
  for (const [name, text] of entries) if (typeof text === 'string') texts[name] = text
  return texts
}

/** The manager whose lock file is nearest, else the one that the manifest names, else npm. */
function findManager(folder: string, manifest: JsonObject): string {
  for (let place = folder; ; place = dirname(place)) {
    const found = Object.entries(MANAGERS).find(([, { locks }]) =>
      locks.some((lock) => existsSync(join(place, lock))),
    )
    if (found) return found[0]
    if (existsSync(join(place, '.git')) || dirname(place) === place) break
  }
  const [named = ''] = (readTexts(manifest)['packageManager'] ?? '').split('@')
  return Object.hasOwn(MANAGERS, named) ? named : 'npm'
}

/** True for a project with JavaScript in it and no sign of TypeScript. */
function isJavaScript(folder: string, manifest: JsonObject): boolean {
  if (existsSync(join(folder, 'tsconfig.json')) || findRange(manifest, 'typescript') !== undefined)
    return false
  const names = [folder, join(folder, 'src')].flatMap((place) =>
    existsSync(place) ? readdirSync(place) : [],
  )
  return names.some((name) => name === 'jsconfig.json' || /\.[cm]?jsx?$/.test(name))
}

/** The range of a dependency, of whatever kind; the package's own name counts as one. */
function findRange(manifest: JsonObject, name: string): string | undefined {
  if (manifest['name'] === name) return '*'
  for (const key of ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']) {
    const range = readTexts(manifest[key])[name]
    if (range !== undefined) return range
  }
  return undefined
}

async function refuseVitest(folder: string, manifest: JsonObject, { add }: { add: string }): Promise<void> {
  const installed = findAbove(folder, 'node_modules/vitest/package.json')
  const version = installed
    ? readTexts(JSON.parse(await readFile(installed, 'utf8')))['version']
    : findRange(manifest, 'vitest')
  // A range such as `^5.0.0` allows what is needed.
  const least = installed ? LEAST.vitest : ([LEAST.vitest[0], 0] as const)
  const written = /^[\^~>=v\s]*(\d[\d.]*)/.exec(version ?? '')?.[1]
  if (written !== undefined && isOlder(written, least))
    throw new Error(
      `This project has Vitest ${version}, and suitecase needs ${LEAST.vitest.join('.')} or newer: ${add} vitest@latest`,
    )
}
