import { writeFileSync } from 'node:fs'
import { buildJsonSchema } from './build-json-schema.ts'

writeFileSync(new URL('../schema.json', import.meta.url), `${JSON.stringify(buildJsonSchema(), null, 2)}\n`)
