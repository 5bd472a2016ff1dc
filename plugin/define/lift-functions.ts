import type { Json } from '../../src/json.ts'
import type { StandardResult, StandardSchema, StepValues } from './definition.ts'

/** A function of a definition. */
export type LiftedFunction = (values: StepValues) => unknown

/** A definition as plain data, and the functions that stood in it. */
export type Lifted = { value: Json; functions: LiftedFunction[] }

const CONDITION_KEYS = new Set(['condition', 'skip', 'on', 'until'])

/** Name under which an expression calls a lifted function. */
export function nameFunction(index: number): string {
  return `__suitecase_function_${index}()`
}

/** The index of the lifted function that an expression calls, or undefined. */
export function readFunctionIndex(source: string): number | undefined {
  const index = /^\s*__suitecase_function_(\d+)\(\)\s*$/.exec(source)?.[1]
  return index === undefined ? undefined : Number(index)
}

/** Replaces the functions and Standard Schemas of a definition by expressions that call them, so that the rest is a suite like any other. */
export function liftFunctions(definition: unknown): Lifted {
  const functions: LiftedFunction[] = []
  const lift = (call: LiftedFunction): string => nameFunction(functions.push(call) - 1)
  const visit = (value: unknown, key: string, parents: readonly string[]): unknown => {
    if (typeof value === 'function') {
      const name = lift(value as LiftedFunction)
      return CONDITION_KEYS.has(key) && parents.at(-1) !== 'scenarios' ? name : `{{js: ${name}}}`
    }
    if (Array.isArray(value)) return value.map((item) => visit(item, key, parents))
    if (typeof value !== 'object' || value === null) return value
    const path = [...parents, key]
    const entries = Object.entries(key === 'assert' ? liftSchema(value, lift) : value)
    const copy: Record<string, unknown> = Object.create(null)
    for (const [name, child] of entries) if (child !== undefined) copy[name] = visit(child, name, path)
    return copy
  }
  return { value: visit(definition, '', []) as Json, functions }
}

/** A body given as a Standard Schema becomes a custom check, judged with the others. */
function liftSchema(assertion: object, lift: (call: LiftedFunction) => string): object {
  const { body, custom, ...rest } = assertion as { body?: unknown; custom?: unknown[] }
  if (!isStandardSchema(body)) return assertion
  const check = {
    name: 'body',
    condition: lift(({ body: value }) => judge(body, value)),
    message: 'The body does not fit its schema',
  }
  return { ...rest, custom: [check, ...(custom ?? [])] }
}

function isStandardSchema(value: unknown): value is StandardSchema {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && '~standard' in value
}

function judge(schema: StandardSchema, value: unknown): true {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise)
    throw new TypeError('the schema validates asynchronously, which a check cannot wait for')
  if (!result.issues?.length) return true
  throw new Error(result.issues.map(describeIssue).join('; '))
}

function describeIssue({ message, path = [] }: NonNullable<StandardResult['issues']>[number]): string {
  const keys = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment))
  return `\`${['body', ...keys].join('.')}\`: ${message}`
}
