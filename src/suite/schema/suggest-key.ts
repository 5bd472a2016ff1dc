import { builtInSchemeNames } from '../../request/auth/schemes.ts'
import { requestSchema } from './schema-request.ts'
import { plainName, suggestName } from '../../text/suggest.ts'

function below(owner: string, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [`${owner}.${key}`, key]))
}

/** Keys (with a dot: below a known one; with a colon: and their value) and the names used for them by mistake or in other tools. The first key known at a place wins. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  suite_name: 'title name test_name',
  base_url: 'url host',
  name: 'title step_name label',
  environment: 'env',
  node_id: 'id node',
  step_id: 'id',
  variables: 'vars env with inputs args',
  steps: 'tests requests stages testcases test_steps',
  setup: 'before before_all background',
  teardown: 'after after_all finally',
  depends: 'needs requires',
  each: 'rows examples parameters data csv dataset cases iterate foreach',
  use: 'includes imports',
  call: 'include use import run uses run_suite',
  ...below('metadata', ['priority', 'tags']),
  priority: 'prio',
  'assert.status_code': 'status_code status',
  ...below('request', Object.keys(requestSchema.entries)),
  'request.timeout': 'timeout timeout_ms',
  ...below('then', ['assert', 'capture', 'variables']),
  ...below('auth', builtInSchemeNames),
  ...below('defaults', ['headers', 'params', 'auth']),
  ...below('respond', ['status', 'headers', 'body', 'file']),
  'when.params': 'params query',
  respond: 'reply return returns',
  'respond: passthrough': 'passthrough',
  'times: 1': 'once',
  status: 'status_code code',
  request: 'get post put patch delete http req',
  assert: 'verify test tests script expect check checks assertions validate response match',
  capture: 'extract save bind outputs export set store',
  scenarios: 'switch branches',
  'debug: true': 'print log echo trace dump',
  iterate: 'loop repeat foreach range times each cases data rows examples parameters',
  over: 'items list values in',
  retry: 'poll retries max_retries',
  max_attempts: 'attempts count times retries retry_count',
  on: 'when if',
  events: 'count',
  within: 'timeout',
  times: 'count',
  suite: 'file',
  concurrency: 'pool max_workers workers parallel',
  app: 'application server module',
  path: 'module file entry',
  onUnhandled: 'on_unhandled_request',
  outputDir: 'dir folder path',
  concurrent: 'parallel concurrency',
  delay_ms: 'wait sleep delay delay_before',
  base_delay_ms: 'delay_ms delay interval backoff_ms',
  method: 'get post put patch delete verb',
  url: 'path uri endpoint route',
  params: 'query query_params qs parameters',
  body: 'json data payload content raw text request_body',
  file: 'body_file',
  form: 'urlencoded',
  ...below('headers', ['content-type', 'accept', 'user-agent', 'authorization']),
  multipart: 'files form_data upload',
  bearer: 'token',
  'basic.username': 'username user',
  'basic.password': 'password pass',
  username: 'user',
  password: 'pass',
  token_url: 'url',
  client_id: 'client',
  client_secret: 'secret',
  "css: 'input::attr(value)'": 'attr attribute',
  'cookies: true': 'session cookie_jar',
  'headers: { cookie: … }` or, beside `steps`, `cookies: true': 'cookies cookie',
  exchange: 'send expect messages',
  save: 'save_to save_as download',
  stream: 'sse',
  websocket: 'ws',
  insecure: 'skip_verify ignore_https_errors',
  follow_redirects: 'max_redirects location allow_redirects redirects redirect follow',
  condition: 'cond expr expression if when',
  when: 'if match',
  'skip.when': 'unless skip_if',
  "skip: { when: '!(…)' }": 'if when run_if only_if',
  skip: 'disabled ignore',
  reason: 'skip_reason message why',
  as: 'iteration_key name var',
  headers: 'request_headers',
}

/** Names of what is written elsewhere, and where. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'functions helpers hooks before_each after_each script exec command shell':
    'Functions and hooks belong in a module that the option `extend` of the plugin names.',
  'depends_on needs after requires':
    'Steps run in order, and a step whose captures are missing does not run. `depends` of a suite names other suites.',
  'verify verify_ssl verify_tls reject_unauthorized insecure':
    'Certificates are checked, unless `insecure: true` is written in the request or suite.',
  defer: 'Write the step below `teardown` of the suite.',
  force:
    'Steps run after a failed one, unless they need its captures. To run these, too, write `continue_on_failure: true` in the step that may fail.',
  enabled: 'A step or suite always runs, unless it has `skip: true`.',
  'save_to save_as download': 'Write `save: report.pdf` beside `request`.',
  secrets: 'Write `secrets` in a file of `environments/`, or name the variables in `redact`.',
  'setup_files global_setup bail output_file test_timeout':
    'It is an option of Vitest: write it below `test` in its configuration.',
  cookies: 'Write `cookies: true` beside `steps` to keep cookies, or check them in `assert`.',
  'snapshot schema json_schema': 'Write it in `assert`, below `body`.',
  'parallel concurrency concurrent':
    'Steps run one after the other. To send one request many times at once, write `burst: { times: 20, concurrent: 20 }`.',
  'next set_next_request next_request goto':
    'Steps run in order. To leave out or repeat a step, write `skip`, `scenarios` or `retry: { until: … }`.',
  openapi: 'Write `schema: ./openapi.yaml#/components/schemas/Order` below `body`.',
}

/** Says where something belongs that has no key at all where it is written; else undefined. */
export function hintElsewhere(name: string): string | undefined {
  return Object.entries(ELSEWHERE).find(([names]) => isAmong(name, names))?.[1]
}

/** True for a name that other tools use for something of another name here. */
export function isOtherName(name: string): boolean {
  return Object.entries(OTHER_NAMES).some(([key, others]) => !key.endsWith(name) && isAmong(name, others))
}

function isAmong(name: string, names: string): boolean {
  return names.split(' ').some((other) => plainName(other) === plainName(name))
}

/** The known key an author probably meant: one with this name in other tools, one below a known key (`metadata.tags`), or one with a similar spelling. */
export function suggestKey(name: string, known: readonly string[]): string | undefined {
  if (/^\w+\.\w+$/.test(name) && known.includes(name.replace(/\..*/, ''))) return name
  const meant = Object.entries(OTHER_NAMES).find(
    ([key, others]) => known.includes(key.replace(/\W.*/, '')) && isAmong(name, others),
  )
  return known.find((key) => name.startsWith(`${key}:`)) ?? meant?.[0] ?? suggestName(name, known)
}

/** A hint if a text looks like a key and value without a space between them, else undefined. Does not repeat the value, which may be secret. */
export function hintSpace(text: unknown): string | undefined {
  const [, key] = (typeof text === 'string' && /^([a-z_][\w.-]*):(?!\/\/)\S.*$/i.exec(text)) || []
  return key === undefined ? undefined : `Put a space after the colon: \`${key}: …\`.`
}
