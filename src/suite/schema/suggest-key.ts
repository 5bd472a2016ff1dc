import { ownSchemeNames } from '../../request/auth/schemes.ts'
import { requestSchema } from './schema-request.ts'
import { suggestField } from '../../text/suggest.ts'

// What other tools call it, or where it belongs; the first that is known at the place is meant.
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  title: ['suite_name', 'name'],
  name: ['suite_name'],
  id: ['node_id', 'step_id'],
  vars: ['variables'],
  tests: ['steps', 'assert'],
  script: ['assert'],
  status: ['assert.status_code', 'respond.status'],
  headers: ['defaults.headers', 'respond.headers'],
  params: ['defaults.params'],
  auth: ['defaults.auth'],
  needs: ['depends'],
  expect: ['assert'],
  checks: ['assert'],
  assertions: ['assert'],
  validate: ['assert'],
  extract: ['capture'],
  loop: ['iterate'],
  repeat: ['iterate'],
  wait: ['delay_ms'],
  query: ['params'],
  json: ['body'],
  data: ['body'],
  payload: ['body'],
  path: ['url'],
  uri: ['url'],
  verify: ['insecure'],
  cookies: ['headers.cookie'],
  max_retries: ['max_attempts'],
  retries: ['retry', 'max_attempts'],
  delay: ['delay_ms', 'base_delay_ms'],
  response: ['respond', 'assert'],
  secrets: ['redact'],
  if: ['condition', 'when', 'skip.when'],
  when: ['skip.when'],
}

// What is one level too high.
const BELOW: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(requestSchema.entries).map((key) => [key, 'request'])),
  ...Object.fromEntries(ownSchemeNames.map((key) => [key, 'auth'])),
  status_code: 'assert',
  custom: 'assert',
  priority: 'metadata',
  tags: 'metadata',
}

/** The known key an author probably meant: what other tools call so, one below a known key (`metadata.tags`), or one spelt nearly so. */
export function suggestKey(name: string, known: readonly string[]): string | undefined {
  const joined = known.find((key) => name.startsWith(`${key}:`))
  if (joined !== undefined) return joined
  const owner = Object.hasOwn(BELOW, name) ? BELOW[name] : undefined
  if (owner !== undefined && known.includes(owner)) return `${owner}.${name}`
  const others = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined
  return others?.find((other) => known.includes(other.replace(/\..*/, ''))) ?? suggestField(name, known)
}
