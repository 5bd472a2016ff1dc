import * as v from 'valibot'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'

/**
 * An object schema that knows all its keys and reports every other one.
 * (Valibot's own `strictObject` stops at the first unknown key and takes lists for objects.)
 */
export function closed<Entries extends v.ObjectEntries>(
  entries: Entries,
  expected = 'a map',
): v.StrictObjectSchema<Entries, undefined> {
  const base = v.strictObject(entries)
  const open = v.object(entries)
  const run: (typeof base)['~run'] = (dataset, config) => {
    const input = dataset.value
    if (!isJsonObject(input)) {
      v._addIssue(base, 'type', dataset as v.UnknownDataset, config as never, { expected })
      return dataset as never
    }
    const result = open['~run'](dataset, config as never) as never as ReturnType<(typeof base)['~run']>
    for (const key of Object.keys(input)) {
      if (Object.hasOwn(entries, key)) continue
      v._addIssue(base, 'key', result as never, config as never, {
        input: key,
        expected: 'never',
        path: [{ type: 'object', origin: 'key', input, key, value: input[key], entries } as never],
      })
    }
    return result
  }
  return { ...base, '~run': run }
}

const describe = (description: string) => v.metadata({ description })

/** Documents a schema for editors (hover text) and keeps its type. */
export function documented<Schema extends v.GenericSchema>(schema: Schema, description: string): Schema {
  return v.pipe(schema, describe(description) as never) as unknown as Schema
}

/** A non-empty text. */
export const text = v.pipe(v.string('a text'), v.nonEmpty('a text that is not empty'))

/** Any value JSON can hold. */
export const anyJson = v.any() as v.GenericSchema<Json>

/** A map of any values. */
export const anyMap = v.pipe(
  v.custom<JsonObject>(isJsonObject, 'a map'),
  v.metadata({ jsonSchema: { type: 'object' } }),
)

/** True or false. */
export const flag = v.boolean('true or false')

/** A text with a `{{…}}` whose value is known when the step runs. */
export const template = v.pipe(v.string(), v.includes('{{', 'a text with {{…}}'))

/** Whole milliseconds. */
export const milliseconds = v.pipe(
  v.number('a number of milliseconds'),
  v.integer('a whole number of milliseconds'),
  v.minValue(0, 'a number of milliseconds, 0 or more'),
  v.maxValue(2 ** 31 - 1, 'a number of milliseconds below 2^31'),
)

/** A JavaScript or JMESPath condition. */
export const condition = v.pipe(v.string('a condition'), v.nonEmpty('a condition that is not empty'))

/** A list of names. */
export const names = v.array(text, 'a list of names')
