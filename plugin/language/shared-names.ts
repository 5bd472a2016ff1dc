import { dirname, join } from 'node:path'
import { isJsonObject, type Json } from '../../src/json.ts'
import { readTextIfThere } from '../../src/read-file.ts'
import { resolvePath } from '../../src/resolve-path.ts'
import type { SourceFile } from '../../src/source.ts'
import { LoadContext } from '../../src/suite/load-context.ts'
import { readRows } from '../../src/suite/read-rows.ts'
import { readYaml } from '../../src/suite/yaml/read-yaml.ts'
import { listEnvironments } from '../main/setup/find-environment.ts'
import type { SuiteFiles } from '../main/suites/suite-files.ts'
import { readNames, type PlacedName } from './read-names.ts'

/** A file from which a suite takes values, and the names in it. `path` is absolute. */
export type SharedFile = SourceFile & { names: readonly PlacedName[] }

/** The files from which a suite takes variables: its rows, what it names in `use`, and all environments. */
export async function listShared(files: SuiteFiles, suite: SourceFile): Promise<SharedFile[]> {
  const folder = join(files.root, 'environments')
  const environments = listEnvironments(folder).map((name) => join(folder, name))
  const reading = readYaml(suite.text)
  const { each, use = [] } = isJsonObject(reading.value) ? reading.value : {}
  const used = [use].flat().filter((name) => typeof name === 'string')
  const settings = [...used.map((name) => resolvePath(dirname(suite.path), name)), ...environments]
  const rows = await readRowFile(each, new LoadContext(reading, suite, { folder: dirname(suite.path) }))
  const shared = settings.map((path) => {
    const text = files.readText(path)
    return { path, text, names: readNames({ path, text }, dirname(path)) ?? [] }
  })
  return [...rows, ...shared]
}

/** The file that `each` names, if any, with the place where each of its names first occurs. */
async function readRowFile(each: Json | undefined, context: LoadContext): Promise<SharedFile[]> {
  if (!isJsonObject(each) || typeof each['file'] !== 'string') return []
  const [row = {}] = (await readRows(each, context)) ?? []
  const path = resolvePath(context.options.folder, each['file'])
  const text = readTextIfThere(path) ?? ''
  const names = Object.keys(row).map((name): PlacedName => {
    const start = Math.max(0, text.indexOf(name))
    return { name, members: [], range: [start, start + name.length], isDeclared: true }
  })
  return [{ path, text, names }]
}
