import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { summariseSuite } from '../../../src/suite/suite-index.ts'
import type { SuiteFiles } from './suite-files.ts'

/** What a module with suites in TypeScript may name. */
export type TypedTargets = {
  files: Pick<SuiteFiles, 'index'>
  app: string | undefined
  extend: string | undefined
  /** The file of the chosen environment. */
  environment: string | undefined
}

/**
 * Adds to a module that defines suites imports, never made, of what they need while they run: the application, the module
 * of `extend`, the environment, data, and each suite file whose node id or name is in the text, be it by chance. With that watch mode,
 * `vitest related` and `--changed` find the module when one of these is edited. Undefined for any other module.
 */
export async function linkTyped(
  code: string,
  id: string,
  { files, app, extend, environment }: TypedTargets,
): Promise<string | undefined> {
  if (!/^[^?]+\.[cm]?[jt]sx?$/.test(id) || id.includes('/node_modules/') || !importsPackage(code))
    return undefined
  const words = new Set(code.match(/[\w-]+/g))
  const index = await files.index()
  const suites = [...index].filter(([, { nodeId }]) => words.has(nodeId)).map(([path]) => path)
  const data = [...listNamedFiles(id, code), environment].filter(isFile)
  const modules = [mayUseApp(code) ? app : undefined, extend].filter(
    (path) => path !== undefined && existsSync(path),
  )
  const imports = new Set([
    ...suites,
    ...data.map((path) => (index.has(path) ? path : `${path}?raw`)),
    ...modules,
  ])
  const lines = Array.from(imports, (path) => `void (() => import(${JSON.stringify(path)}))`)
  return [code, ...lines, ''].join('\n')
}

/** What a suite's text names in quotes, as files beside it. */
export function listNamedFiles(path: string, text: string): string[] {
  const folder = dirname(path)
  // Between any two quotes, of which a comment may have one.
  const names = Array.from(text.matchAll(/["'`]([^"'`\n]+)(?=["'`])/g), ([, name]) => name as string)
  return [...summariseSuite(path, text).files, ...names].map((name) => resolve(folder, name))
}

/** Of a name that can be none, such as a sentence, the disk may know nothing but an error. */
function isFile(path: string | undefined): path is string {
  return path !== undefined && existsSync(path) && statSync(path).isFile()
}

/** The application is used by its name, and by every suite without a `base_url`. */
function mayUseApp(code: string): boolean {
  if (code.includes('app_url')) return true
  const suites = code.match(/\b(?:defineSuite|buildSuite)\s*[<(]/g) ?? []
  return suites.length > (code.match(/\bbase_url\b/g) ?? []).length
}

/** True for the text of a module that imports this package. */
export function importsPackage(text: string): boolean {
  return /(?:from|import)\s*\(?\s*["']suitecase["']/.test(text)
}
