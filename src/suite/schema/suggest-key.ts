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
  status_code: ['status', 'respond.status'],
  body: ['respond.body'],
  requests: ['steps'],
  before: ['setup'],
  before_all: ['setup'],
  beforeAll: ['setup'],
  after: ['teardown'],
  after_all: ['teardown'],
  afterAll: ['teardown'],
  headers: ['defaults.headers', 'respond.headers'],
  params: ['defaults.params'],
  auth: ['defaults.auth'],
  needs: ['depends'],
  requires: ['depends'],
  rows: ['each'],
  examples: ['each'],
  expect: ['assert'],
  checks: ['assert'],
  assertions: ['assert'],
  validate: ['assert'],
  extract: ['capture'],
  save: ['capture'],
  loop: ['iterate'],
  repeat: ['iterate'],
  items: ['over'],
  foreach: ['iterate'],
  poll: ['retry'],
  while: ['on'],
  until: ['retry.until'],
  delay_ms: ['base_delay_ms', 'respond.delay_ms'],
  wait: ['delay_ms'],
  sleep: ['delay_ms'],
  query: ['params'],
  json: ['body'],
  data: ['body'],
  payload: ['body'],
  messages: ['exchange'],
  send: ['exchange'],
  parallel: ['concurrent'],
  expr: ['condition'],
  expression: ['condition'],
  path: ['url'],
  uri: ['url'],
  base_url: ['request.url', 'url'],
  query_params: ['params'],
  token: ['bearer'],
  get: ['method'],
  post: ['method'],
  put: ['method'],
  patch: ['method'],
  delete: ['method'],
  verb: ['method'],
  max_redirects: ['follow_redirects'],
  allow_redirects: ['follow_redirects'],
  redirects: ['follow_redirects'],
  verify: ['insecure'],
  files: ['multipart'],
  basic_auth: ['auth.basic'],
  cookie: ['headers.cookie'],
  cookies: ['headers.cookie'],
  count: ['max_attempts', 'times'],
  times: ['max_attempts'],
  max_retries: ['max_attempts'],
  retries: ['retry', 'max_attempts'],
  delay: ['delay_ms', 'base_delay_ms'],
  interval: ['base_delay_ms'],
  response: ['respond', 'assert'],
  secrets: ['redact'],
  if: ['condition', 'when', 'skip.when'],
  when: ['skip.when'],
  unless: ['skip.when'],
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
