import { sep } from 'node:path'
import { canonicalText } from '../../compare-json.ts'
import type { CompiledSchema, ReadFile } from './compile-schema.ts'
import { flattenChecks, type Check } from '../check.ts'
import { isJsonObject, type Json } from '../../json.ts'

/** The compiled schemas, by the operands of their checks. */
export type Schemas = ReadonlyMap<Json, CompiledSchema>

/** Schemas of other kinds (zod, valibot …), by the operands of the `schema` checks that stand for them. */
export const givenSchemas = new WeakMap<object, CompiledSchema>()

/** A compiled schema, and the texts of the files that it was compiled from. */
type Known = { compiled: CompiledSchema; files: ReadonlyMap<string, string> }

const cached = new Map<string, Known>()
const MAX_CACHED = 500

/**
 * Compiles the schemas of all `schema` checks. Undefined if there are none; then ajv is not even loaded.
 * If a file cannot be read, or a schema does not compile, the check fails later.
 */
export async function loadSchemas(
  checks: readonly Check[],
  readFile: ReadFile,
): Promise<Schemas | undefined> {
  const own = flattenChecks(checks).filter(({ operator }) => operator === 'schema')
  const operands = new Set(own.map(({ expected }) => expected))
  if (operands.size === 0) return undefined
  const schemas = new Map<Json, CompiledSchema>()
  for (const operand of operands) schemas.set(operand, await compileOnce(operand, readFile))
  return schemas
}

async function compileOnce(operand: Json, readFile: ReadFile): Promise<CompiledSchema> {
  const given = isJsonObject(operand) ? givenSchemas.get(operand) : undefined
  if (given) return given
  const key = canonicalText(operand)
  const known = cached.get(key)
  if (known && (await isCurrent(known, readFile))) return known.compiled
  const files = new Map<string, string>()
  const { compileSchema } = await import('./compile-schema.ts')
  // Relative `$ref`s have `/` on Windows too.
  const schema = typeof operand === 'string' ? operand.replaceAll(sep, '/') : operand
  const compiled = await compileSchema(schema, async (name) => {
    const text = await readFile(name)
    files.set(name, text)
    return text
  })
  if (cached.size >= MAX_CACHED) cached.clear()
  if (!('problem' in compiled)) cached.set(key, { compiled, files })
  return compiled
}

async function isCurrent({ files }: Known, readFile: ReadFile): Promise<boolean> {
  try {
    for (const [name, text] of files) if ((await readFile(name)) !== text) return false
    return true
  } catch {
    return false
  }
}
