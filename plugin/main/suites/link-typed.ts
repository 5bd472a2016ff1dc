import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { resolvePath } from '../../../src/resolve-path.ts'
import { summariseSuite } from '../../../src/suite/suite-index.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import type { SuiteFiles } from './suite-files.ts'

/** What a module with suites in TypeScript may depend on. */
export type TypedTargets = Pick<ResolvedOptions, 'environmentFile' | 'extend'> & {
  files: Pick<SuiteFiles, 'index' | 'app'>
  /** Called with each file of data, for `--sinceLastRun`, where only what was loaded or watched counts. */
  watch: (path: string) => void
}

/**
 * Adds imports, never executed, to a module that defines suites: of all that they may depend on, so that watch mode,
 * `vitest related` and `--changed` find it when one of these is edited. Undefined for any other module.
 */
export async function linkTyped(
  code: string,
  id: string,
  { files, extend, environmentFile, watch }: TypedTargets,
): Promise<{ code: string; map: null } | undefined> {
  if (!/^[^?]+\.[cm]?[jt]sx?$/.test(id) || id.includes('/node_modules/') || !importsPackage(code))
    return undefined
  const words = new Set(code.match(/[\w-]+/g))
  const index = await files.index()
  const suites = [...index].filter(([, { nodeId }]) => words.has(nodeId)).map(([path]) => path)
  const data = [...listNamedFiles(id, code), environmentFile].filter(isFile)
  const modules = [mayUseApp(code) ? files.app : undefined, extend].filter(isFile)
  for (const path of data) watch(path)
  const imports = new Set([
    ...suites,
    ...data.map((path) => (index.has(path) ? path : `${path}?raw`)),
    ...modules,
  ])
  // Lines are only added at the end, so no source map is needed.
  return { code: [code, ...writeImports(id, imports), ''].join('\n'), map: null }
}

/** Suffix of a module that cannot be loaded. `vitest related` and `--changed` choose all that import one. */
export const UNKNOWN_QUERY = '?suitecase-unknown'

/** Writes imports that never run. A path may end in `?raw`; at any other `?` or `#` Vite would cut it. */
export function writeImports(module: string, paths: Iterable<string>): string[] {
  const cut = (path: string): string => (/[?#](?!raw$)/.test(path) ? module + UNKNOWN_QUERY : path)
  return Array.from(paths, (path) => `void (() => import(${JSON.stringify(cut(path))}))`)
}

/** The absolute paths of files that a text may name in quotes, relative to its own file. */
export function listNamedFiles(path: string, text: string): string[] {
  const folder = dirname(path)
  // Between any two quotes, even apostrophes in a comment. Windows would look for `//a/b` in the network.
  const names = Array.from(text.matchAll(/["'`](?!\/\/|\\\\)([^"'`\n]+)(?=["'`])/g), ([, name = '']) => name)
  return [...summariseSuite(path, text).files, ...names].map((name) => resolvePath(folder, name))
}

/** True for an existing file. The path may be made from any text, such as a sentence. */
function isFile(path: string | undefined): path is string {
  return path !== undefined && existsSync(path) && statSync(path).isFile()
}

/** Whether suites in a module may use the application: one reads `app_url`, or has no `base_url`. */
function mayUseApp(code: string): boolean {
  if (code.includes('app_url')) return true
  const suites = code.match(/\b(?:defineSuite|buildSuite)\s*[<(]/g) ?? []
  return suites.length > (code.match(/\bbase_url\b/g) ?? []).length
}

/** True if the text of a module imports this package. */
export function importsPackage(text: string): boolean {
  return /(?:from|import)\s*\(?\s*["']suitecase["']/.test(text)
}
