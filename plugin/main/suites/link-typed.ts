import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { glanceAtSuite } from '../../../src/suite/suite-index.ts'
import { importsPackage } from './imports-suitecase.ts'
import type { SuiteFiles } from './suite-files.ts'

/** What a module with suites in TypeScript may name. */
export type TypedTargets = {
  files: Pick<SuiteFiles, 'index'>
  app: string | undefined
  extend: string | undefined
}

/** A module with imports that are never made, and the files that its suites read. */
export type LinkedModule = { code: string; reads: string[]; usesApp: boolean }

/**
 * Adds to a module that defines suites what they only import while they run: the application, the module of `extend`,
 * and each suite file whose node id or name stands in the text, be it by chance. With that watch mode, `vitest related`
 * and `--changed` find the module when one of these is edited. Undefined for any other module.
 */
export async function linkTyped(
  code: string,
  id: string,
  { files, app, extend }: TypedTargets,
): Promise<LinkedModule | undefined> {
  if (!/^[^?]+\.[cm]?[jt]sx?$/.test(id) || id.includes('/node_modules/') || !importsPackage(code))
    return undefined
  const folder = dirname(id)
  const words = new Set(code.match(/[\w-]+/g))
  const index = [...(await files.index())]
  const named = glanceAtSuite(id, code).files.map((name) => resolve(folder, name))
  const suites = new Set([
    ...index.filter(([, { nodeId }]) => words.has(nodeId)).map(([path]) => path),
    ...named.filter((path) => existsSync(path)),
  ])
  const data = [...code.matchAll(/\bfile["']?\s*:\s*["'`]([^"'`\n]+)["'`]/g)]
  const imports = [...suites]
  if (extend !== undefined && existsSync(extend)) imports.push(extend)
  const reads = [...imports, ...data.map((match) => resolve(folder, match[1] as string))]
  const usesApp = app !== undefined && mayUseApp(code) && existsSync(app)
  if (usesApp) imports.push(app)
  const lines = imports.map((path) => `void (() => import(${JSON.stringify(path)}))`)
  return { code: [code, ...lines, ''].join('\n'), reads, usesApp }
}

/** The application is used by its name, by the fixture, and by every suite without a `base_url`. */
function mayUseApp(code: string): boolean {
  if (/\bapp_url\b|[{,]\s*app\s*[,:}]/.test(code)) return true
  const suites = code.match(/\b(?:defineSuite|buildSuite)\s*[<(]/g) ?? []
  return suites.length > (code.match(/\bbase_url\b/g) ?? []).length
}
