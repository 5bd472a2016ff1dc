import { writeFileSync } from 'node:fs'
import { toJsonSchema } from '@valibot/to-json-schema'
import {
  assertSchema,
  captureSchema,
  checksSchema,
  operatorsSchema,
} from '../src/suite/schema/schema-checks.ts'
import { numberChecks } from '../src/suite/schema/schema-operands.ts'
import { mocksSchema } from '../src/suite/schema/schema-flow.ts'
import { fields } from '../src/suite/schema/schema-parts.ts'
import { authSchema } from '../src/suite/schema/schema-auth.ts'
import { requestSchema, retrySchema } from '../src/suite/schema/schema-request.ts'
import { stepSchema, suiteSchema } from '../src/suite/schema/schema.ts'
import { addExamples, type SchemaNode } from './add-examples.ts'

/** Builds the JSON Schema (draft-07) of suite files from the schema that checks them. */
export function buildJsonSchema(): object {
  const { $schema, ...schema } = toJsonSchema(suiteSchema, {
    typeMode: 'input',
    // What only code can check (a date, a range that is not too long) is left to loading.
    errorMode: 'ignore',
    definitions: {
      step: stepSchema,
      assert: assertSchema,
      capture: captureSchema,
      checks: checksSchema,
      operators: operatorsSchema,
      number_checks: numberChecks,
      request: requestSchema,
      retry: retrySchema,
      auth: authSchema,
      mocks: mocksSchema,
      fields,
    },
  })
  addExamples(schema as SchemaNode)
  return {
    $schema,
    title: 'suitecase suite',
    description: 'An ordered list of HTTP steps with assertions, captures and scenarios.',
    ...schema,
  }
}

if (import.meta.main)
  writeFileSync(new URL('../schema.json', import.meta.url), `${JSON.stringify(buildJsonSchema(), null, 2)}\n`)
