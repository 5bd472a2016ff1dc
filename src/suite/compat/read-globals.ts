import type { JsonObject } from '../../json.ts'

const PREFIX = 'FLOW_TEST_'

/** The variables that environment variables of flow-test-engine set: `FLOW_TEST_BASE_URL` is `base_url`. */
export function readGlobals(env: Readonly<Record<string, string | undefined>>): JsonObject {
  const globals = Object.create(null) as JsonObject
  for (const [name, value] of Object.entries(env))
    if (name.startsWith(PREFIX) && name.length > PREFIX.length && value !== undefined)
      globals[name.slice(PREFIX.length).toLowerCase()] = value
  return globals
}
