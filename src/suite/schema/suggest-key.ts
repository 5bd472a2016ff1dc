import { builtInSchemeNames } from '../../request/auth/schemes.ts'
import { requestSchema } from './schema-request.ts'
import { plainName, suggestName } from '../../text/suggest.ts'

function below(owner: string, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [`${owner}.${key}`, key]))
}

/** Keys (with a dot: below a known one) and the names used for them by mistake or in other tools. The first key known at a place wins. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  suite_name: 'title name test_name',
  base_url: 'url host',
  name: 'title',
  environment: 'env',
  node_id: 'id node',
  step_id: 'id',
  variables: 'vars env',
  steps: 'tests requests stages testcases test_steps',
  setup: 'before before_all background',
  teardown: 'after after_all finally',
  depends: 'needs requires',
  each: 'rows examples parameters',
  use: 'includes',
  call: 'include',
  ...below('metadata', ['priority', 'tags']),
  priority: 'prio',
  'assert.status_code': 'status_code status',
  ...below('request', Object.keys(requestSchema.entries)),
  ...below('auth', builtInSchemeNames),
  ...below('defaults', ['headers', 'params', 'auth']),
  ...below('respond', ['status', 'headers', 'body', 'file']),
  request: 'get post put patch delete http req',
  assert: 'test tests script expect check checks assertions validate response match',
  capture: 'extract save bind outputs',
  iterate: 'loop repeat foreach range times',
  retry: 'poll retries max_retries',
  max_attempts: 'attempts count times retries',
  concurrency: 'pool max_workers',
  delay_ms: 'wait sleep delay delay_before',
  base_delay_ms: 'delay_ms delay interval',
  method: 'get post put patch delete verb',
  url: 'path uri',
  params: 'query query_params qs parameters',
  body: 'json data payload',
  multipart: 'files form_data upload',
  bearer: 'token',
  insecure: 'verify verify_ssl',
  follow_redirects: 'max_redirects location allow_redirects redirects',
  condition: 'cond expr expression if when',
  when: 'if match',
  'skip.when': 'if when unless',
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
