import { readMessage } from '../../../../src/errors.ts'
import type { CompiledSchema } from '../../../../src/assertion/json-schema/compile-schema.ts'
import { formatFieldPath } from '../../../../src/path/field-path.ts'
import { freezeData, isPromise } from '../../../contract/copy-data.ts'

/** A schema from any library that follows Standard Schema (standardschema.dev, version 1): zod, valibot, arktype … */
export type StandardSchema<Input = unknown> = {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined
  }
}

type StandardResult = { readonly issues?: readonly Issue[] | undefined }
type Issue = {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** True for a Standard Schema, which may be an object or (arktype) a function. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  const { '~standard': standard } = (value ?? {}) as Partial<StandardSchema>
  return typeof standard?.validate === 'function'
}

/** Adapts a Standard Schema to the `schema` check. An asynchronous schema makes the check fail, saying so. */
export function adaptSchema({ '~standard': standard }: StandardSchema): CompiledSchema {
  return {
    name: `${standard.vendor} schema`,
    validate(value) {
      try {
        const result = standard.validate(freezeData(value))
        if (isPromise(result)) return refuse('is asynchronous; use synchronous rules')
        return (result.issues ?? []).map(({ message, path = [] }) => {
          const keys = path.map((segment) => (typeof segment === 'object' ? segment.key : segment))
          const names = keys.map((key) => (typeof key === 'number' ? key : String(key)))
          return { path: formatFieldPath(names, 'x').slice(1), message }
        })
      } catch (error) {
        return refuse(`threw ${readMessage(error)}`)
      }
    },
  }
}

function refuse(why: string): { path: string; message: string }[] {
  return [{ path: '', message: `cannot be checked: the schema ${why}` }]
}
