import { builtInSchemeNames } from '../../request/auth/schemes.ts'
import { requestSchema } from './schema-request.ts'
import { plainName, suggestName } from '../../text/suggest.ts'

function below(owner: string, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [`${owner}.${key}`, key]))
}

/** Keys (with a dot: below a known one) and the names used for them by mistake or in other tools. The first key known at a place wins. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  suite_name: 'title name',
  base_url: 'url host',
  name: 'title',
  variables: 'vars env',
  steps: 'tests requests',
  setup: 'before before_all',
  teardown: 'after after_all',
  ...below('metadata', ['priority', 'tags']),
  'assert.status_code': 'status_code status',
  ...below('request', Object.keys(requestSchema.entries)),
  ...below('auth', builtInSchemeNames),
  ...below('defaults', ['headers', 'params', 'auth']),
  ...below('respond', ['status', 'headers', 'body', 'file']),
  request: 'get post put patch delete',
  assert: 'test tests expect check checks assertions',
  capture: 'extract',
  iterate: 'loop repeat foreach',
  retry: 'retries',
  max_attempts: 'count times retries',
  concurrency: 'pool max_workers',
  delay_ms: 'wait sleep delay',
  method: 'get post put patch delete',
  params: 'query',
  body: 'json data payload',
  bearer: 'token',
  'skip.when': 'if when',
}

/** The known key an author probably meant: one with this name in other tools, one below a known key (`metadata.tags`), or one with a similar spelling. */
export function suggestKey(name: string, known: readonly string[]): string | undefined {
  const isMeant = (other: string): boolean => plainName(other) === plainName(name)
  if (/^\w+\.\w+$/.test(name) && known.includes(name.replace(/\..*/, ''))) return name
  const meant = Object.entries(OTHER_NAMES).find(
    ([key, others]) => known.includes(key.replace(/\..*/, '')) && others.split(' ').some(isMeant),
  )
  return known.find((key) => name.startsWith(`${key}:`)) ?? meant?.[0] ?? suggestName(name, known)
}

/** A hint if a text looks like a key and value without a space between them, else undefined. Does not repeat the value, which may be secret. */
export function hintSpace(text: unknown): string | undefined {
  const [, key] = (typeof text === 'string' && /^([a-z_][\w.-]*):(?!\/\/)\S.*$/i.exec(text)) || []
  return key === undefined ? undefined : `Put a space after the colon: \`${key}: …\`.`
}
