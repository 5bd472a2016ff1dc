import { isJsonObject, toText, type Json, type JsonObject } from '../json.ts'
import type { SeenPart } from '../run/attempt/attempt.ts'
import { readData } from '../safe-json.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { learnVariable } from '../secrets/suite-redactor.ts'
import type { SuitePlan } from '../suite/plan/plan.ts'
import type { ExchangeDetails } from './report-step.ts'

/** Teaches a redactor the secrets of a step, of one of its attempts, or just of its filled in request: values of secret names in headers, bodies (including JSON, forms and multipart kept as text), query parameters, variables and checked fields. */
export function learnStep(redactor: Redactor, step: SeenPart): void {
  const { captured_variables: captured, available_variables: available, iteration, filled } = step
  for (const values of [captured, available, iteration]) if (values) redactor.learn(values, true)
  if (filled) {
    redactor.learn(filled)
    learnAuth(redactor, filled.auth)
    learnUrl(redactor, toText(filled.url))
  }
  learnExchange(redactor, step)
  for (const { body } of step.burst?.responses ?? []) learnBody(redactor, body)
  for (const { field, expected, actual } of step.assertions_results ?? []) {
    // A condition may mention a secret name, but its result is not the value of that name.
    if (field === expected) continue
    // Only texts, since a number may be a length. Other values are learnt with the response.
    if (typeof actual === 'string') redactor.learnField(field, actual)
    // Other operators expect ordinary text, such as a format, and `contains` may expect an ordinary word.
    const isWhole = /\.(?:equals|in|same_items)$/.test(field)
    if (isWhole || (typeof expected === 'object' && field.endsWith('.contains')))
      redactor.learnField(field, expected)
  }
  for (const { url, location, target } of step.redirects ?? []) {
    for (const address of [url, target]) learnUrl(redactor, address)
    redactor.learn([location])
  }
  for (const { url, headers = {}, sent = null, answered = null } of step.mock_calls ?? []) {
    learnUrl(redactor, url)
    redactor.learn(headers)
    learnBody(redactor, sent)
    learnBody(redactor, answered)
  }
}

/** Teaches a redactor the secrets of a suite before it starts: values under secret names, also in what it is `given` (its row and inputs), and the environment variables it reads. */
export function learnPlan(
  redactor: Redactor,
  plan: Pick<SuitePlan, 'env' | 'variables'>,
  { env, given = [] }: { env: NodeJS.ProcessEnv; given?: readonly JsonObject[] },
): void {
  for (const { name } of plan.env) learnVariable(redactor, name, env)
  for (const values of [plan.variables, ...given]) redactor.learn(values)
}

export function learnAuth(redactor: Redactor, auth: Json | undefined): void {
  if (!isJsonObject(auth)) return
  const { bearer: token = null } = auth
  redactor.learn({ ...auth, token })
}

function learnExchange(redactor: Redactor, exchange: ExchangeDetails): void {
  const { request_details: request, response_details: response } = exchange
  if (request) {
    redactor.learn(request.headers)
    if (request.params) redactor.learn(request.params)
    learnUrl(redactor, request.full_url)
    if (request.body !== undefined) learnBody(redactor, request.body)
    const { query } = Object(request.body) as { query?: Json }
    if (typeof query === 'string') learnQuery(redactor, query)
  }
  if (response) {
    redactor.learn(response.headers)
    learnBody(redactor, response.body)
    for (const { data } of response.events ?? []) learnBody(redactor, data ?? null)
    for (const { data } of response.messages ?? []) learnBody(redactor, data)
  }
}

/** Learns from query parameters and the password in a URL, since nothing else in it has a name. A parameter may contain a URL itself. */
function learnUrl(redactor: Redactor, url: string): void {
  redactor.learn([url])
  const query = /\?([^#]*)/.exec(url)?.[1]
  if (query) learnForm(redactor, query)
  const password = url.includes('@') ? URL.parse(url)?.password : undefined
  if (password) learnForm(redactor, `password=${password.replaceAll('+', '%2B').replaceAll('&', '%26')}`)
}

function learnBody(redactor: Redactor, body: Json): void {
  const data = typeof body === 'string' && /^\s*[{[]/.test(body) ? readData(body) : body
  if (typeof data !== 'string') redactor.learn(data)
  // Broken JSON.
  else if (/^\s*[{[]/.test(data)) redactor.learnSource(data)
  else if (/^[\w.[\]%+-]+=/.test(data)) learnForm(redactor, data)
  else if (/^--\S+\r\ncontent-/i.test(data)) learnParts(redactor, data)
  else redactor.learnMarkup(data)
}

/** Learns from the arguments of a GraphQL query that are texts. */
function learnQuery(redactor: Redactor, query: string): void {
  for (const [, name = '', value = ''] of query.matchAll(/\b(\w+)\s*:\s*"((?:[^"\\]|\\.){1,1000})"/g))
    redactor.learn({ [name]: value })
}

function learnForm(redactor: Redactor, text: string): void {
  for (const [name, value] of new URLSearchParams(text))
    if (redactor.isSecretName(name)) redactor.learn({ [name]: value })
}

/** Learns from the parts of `multipart/form-data`, which may be JSON themselves. */
function learnParts(redactor: Redactor, text: string): void {
  const boundary = text.slice(0, text.indexOf('\r\n'))
  for (const part of text.split(`\r\n${boundary}`)) {
    const end = part.indexOf('\r\n\r\n')
    const name = /\bname="([^"]*)"/i.exec(part.slice(0, end))?.[1]
    const content = part.slice(end + 4)
    if (name !== undefined) redactor.learn({ [name]: content })
    learnBody(redactor, content)
  }
}
