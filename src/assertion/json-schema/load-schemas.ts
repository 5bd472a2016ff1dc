import { canonicalText } from '../../compare-json.ts'
import type { CompiledSchema } from './compile-schema.ts'
import type { Check } from '../check.ts'
import { isJsonObject, type Json } from '../../json.ts'

/** Compiled schemas by the operand of their check. */
export type Schemas = ReadonlyMap<Json, CompiledSchema>

/** Schemas of other kinds, by the operand that stands for them. */
const given = new WeakMap<object, CompiledSchema>()

/** Lets a schema of another kind (zod, valibot …) stand for the operand of a `schema` check, by its identity. */
export function giveSchema(operand: object, schema: CompiledSchema): void {
  given.set(operand, schema)
}

const cached = new Map<string, CompiledSchema>()
const MAX_CACHED = 500

/**
 * Compiles the schemas of all `schema` checks; undefined when there are none, and then ajv is not even imported.
 * `readFile` gives the text of a schema file; what it throws, like a schema that does not compile, fails the check later.
 */
export async function loadSchemas(
  checks: readonly Check[],
  readFile: (name: string) => string | Promise<string>,
): Promise<Schemas | undefined> {
  const operands = new Set(collectOperands(checks))
  if (operands.size === 0) return undefined
  const schemas = new Map<Json, CompiledSchema>()
  for (const operand of operands) schemas.set(operand, await loadSchema(operand, readFile))
  return schemas
}

function collectOperands(checks: readonly Check[]): Json[] {
  return checks.flatMap((check) => [
    ...(check.operator === 'schema' ? [check.expected] : []),
    ...collectOperands(check.checks ?? []),
  ])
}

async function loadSchema(
  operand: Json,
  readFile: (name: string) => string | Promise<string>,
): Promise<CompiledSchema> {
  const known = isJsonObject(operand) ? given.get(operand) : undefined
  return known ?? compileOnce(operand, readFile)
}

async function compileOnce(
  operand: Json,
  readFile: (name: string) => string | Promise<string>,
): Promise<CompiledSchema> {
  let schema = operand
  if (typeof operand === 'string') {
    try {
      schema = JSON.parse(await readFile(operand)) as Json
    } catch (error) {
      return { problem: `the file \`${operand}\` could not be read as JSON: ${(error as Error).message}` }
    }
  }
  const key = canonicalText(schema)
  const known = cached.get(key)
  if (known) return known
  const { compileSchema } = await import('./compile-schema.ts')
  const compiled = compileSchema(schema)
  if (cached.size >= MAX_CACHED) cached.clear()
  cached.set(key, compiled)
  return compiled
}
