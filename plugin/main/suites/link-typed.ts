import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { stringifyJson } from '../../../src/json.ts'
import { summariseSuite } from '../../../src/suite/suite-index.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import type { ReadPlan } from '../../contract/parcel.ts'
import type { SuiteFiles } from './suite-files.ts'

/** The module that carries a suite's plan, for suites in TypeScript. */
export async function loadPlan(files: SuiteFiles, path: string) {
  const { plan, needs } = await files.link(path)
  const text = stringifyJson({ plan, needs: [...needs] } satisfies ReadPlan)
  return { code: `export default { text: ${JSON.stringify(text)} }\n`, moduleType: 'js' as const }
}

/** The module that carries the file of each node id. */
export async function loadIndex(files: SuiteFiles) {
  const index = await files.index()
  const paths = Object.fromEntries([...index].map(([path, { nodeId }]) => [nodeId, path]))
  return { code: `export default ${JSON.stringify(paths)}\n`, moduleType: 'js' as const }
}

/**
 * Adds to a module that defines suites imports, never made, of what they need while they run: the application, the module
 * of `extend`, the environment, data, and each suite file whose node id or name is in the text, be it by chance. With that watch mode,
 * `vitest related` and `--changed` find the module when one of these is edited. Undefined for any other module.
 */
export async function linkTyped(
  { code, id }: { code: string; id: string },
  files: SuiteFiles,
  { app, extend, environmentFile }: ResolvedOptions,
): Promise<{ code: string; map: null } | undefined> {
  if (!/^[^?]+\.[cm]?[jt]sx?$/.test(id) || id.includes('/node_modules/') || !importsPackage(code))
    return undefined
  const words = new Set(code.match(/[\w-]+/g))
  const index = await files.index()
  const named = [...index].filter(([, { nodeId }]) => words.has(nodeId)).map(([path]) => path)
  const data = [...listNamedFiles(id, code), environmentFile].filter((path) => isFile(path))
  const modules = [app && mayUseApp(code) && resolve(files.root, app.path), extend].filter((path) =>
    isFile(path),
  )
  const imports = new Set([
    ...named,
    ...data.map((path) => (index.has(path) ? path : `${path}?raw`)),
    ...modules,
  ])
  const lines = Array.from(imports, (path) => `void (() => import(${JSON.stringify(path)}))`)
  // The lines that are there stay where they are.
  return { code: [code, ...lines, ''].join('\n'), map: null }
}

/** What a suite's text names in quotes, as files beside it. */
function listNamedFiles(path: string, text: string): string[] {
  const folder = dirname(path)
  // Between any two quotes, of which a comment may have one.
  const names = Array.from(text.matchAll(/["'`]([^"'`\n]+)(?=["'`])/g), ([, name]) => name as string)
  return [...summariseSuite(path, text).files, ...names].map((name) => resolve(folder, name))
}

function isFile(path: string | false | undefined): path is string {
  return Boolean(path) && statSync(path as string, { throwIfNoEntry: false })?.isFile() === true
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
