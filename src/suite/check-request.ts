import { showValue } from '../text/show-value.ts'
import { BuildProblem } from '../request/build-problem.ts'
import { completeHeaders, readHeaders, token } from '../request/build-headers.ts'
import { readFilePart } from '../request/build-multipart.ts'
import { buildUrl } from '../request/build-url.ts'
import { listFields } from '../request/list-fields.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import type { LoadContext } from './load-context.ts'
import { isTemplate } from './schema-parts.ts'
import type { ValuePath } from './source-tree.ts'

type RequestPlace = { context: LoadContext; path: ValuePath }

const BODIES = ['body', 'form', 'multipart', 'file']

/** Checks the `base_url` of a suite as far as it does not depend on variables. */
export function checkBaseUrl(base: Json | undefined, context: LoadContext): void {
  if (typeof base !== 'string' || isTemplate(base)) return
  const path = ['base_url']
  if (base.trim() !== '') return attempt(() => void buildUrl('', undefined, base), { context, path })
  const message = 'Expected `base_url` to be a URL, got an empty text.'
  context.report(path, { code: 'bad-value', message, hint: 'Write a URL, or leave it out.' })
}

/** Checks of a request what does not depend on variables, with the functions that build it: url, method, names of headers, shapes of fields, files. */
export function checkRequest(request: JsonObject, place: RequestPlace): void {
  checkMethod(request['method'], place)
  checkUrl(request['url'], { ...place, path: [...place.path, 'url'] })
  checkFile(request['file'], { ...place, path: [...place.path, 'file'] })
  checkParts(request['multipart'], { ...place, path: [...place.path, 'multipart'] })
  checkHeaders(request, place)
  for (const key of ['params', 'form'])
    checkFields(request, { ...place, key }, (field) => void listFields(field, key))
  checkAuth(request['auth'], place)
  const bodies = BODIES.filter((key) => Object.hasOwn(request, key))
  if (bodies.length > 1)
    place.context.report(
      [...place.path, bodies[1] as string],
      {
        code: 'bad-value',
        message: `A request has one body; this one has ${bodies.map((key) => `\`${key}\``).join(' and ')}.`,
        hint: 'Keep one of them.',
      },
      'key',
    )
}

/** Each header on its own, and if nothing is wrong with one of them all together. */
function checkHeaders(request: JsonObject, place: RequestPlace): void {
  const { problems } = place.context
  const before = problems.length
  checkFields(request, { ...place, key: 'headers' }, (header) => void readHeaders(header))
  const { headers, auth } = request
  if (!isJsonObject(headers) || problems.length > before) return
  const filled = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, fillTemplates(value)]),
  )
  const credentials = isJsonObject(auth) ? { bearer: 'text' } : undefined
  attempt(() => void completeHeaders(readHeaders(filled), undefined, credentials), {
    ...place,
    path: [...place.path, 'headers'],
  })
}

// One by one, so that each is reported at its own place; templates stand for a text, and so do texts with control
// characters: sending them fails the step.
function checkFields(
  owner: JsonObject,
  { key, context, path }: RequestPlace & { key: string },
  check: (field: JsonObject) => void,
): void {
  const map = Object.hasOwn(owner, key) ? owner[key] : undefined
  if (!isJsonObject(map)) return
  for (const [name, value] of Object.entries(map)) {
    const single: JsonObject = Object.create(null) as JsonObject
    single[name] = fillTemplates(value)
    attempt(() => check(single), { context, path: [...path, key, name] })
  }
}

function fillTemplates(value: Json): Json {
  if (Array.isArray(value)) return value.map(fillTemplates)
  return typeof value === 'string' && (isTemplate(value) || /\p{Cc}/u.test(value)) ? 'text' : value
}

function checkUrl(url: Json | undefined, place: RequestPlace): void {
  // What it is joined to is checked on its own.
  if (typeof url === 'string' && !isTemplate(url))
    attempt(() => void buildUrl(url, undefined, 'http://host'), place)
}

function checkFile(file: Json | undefined, { context, path }: RequestPlace): void {
  if (typeof file === 'string' && file.trim() !== '' && !isTemplate(file)) context.checkFile(file, path)
}

function checkParts(parts: Json | undefined, { context, path }: RequestPlace): void {
  if (!isJsonObject(parts)) return
  for (const [name, value] of Object.entries(parts))
    for (const [index, part] of (Array.isArray(value) ? value : [value]).entries()) {
      if (typeof part !== 'object' || part === null) continue
      const place = { context, path: [...path, name, ...(Array.isArray(value) ? [index] : [])] }
      attempt(() => void readFilePart(name, part), place)
      if (isJsonObject(part)) checkFile(part['file'], { context, path: [...place.path, 'file'] })
    }
}

function checkMethod(method: Json | undefined, { context, path }: RequestPlace): void {
  if (typeof method !== 'string' || method.trim() === '' || isTemplate(method)) return
  if (token.test(method) && method.toUpperCase() !== 'CONNECT') return
  context.report([...path, 'method'], {
    code: 'bad-value',
    message: `Expected \`method\` to be an HTTP method such as GET or POST, got ${showValue(method)}.`,
  })
}

function checkAuth(auth: Json | undefined, { context, path }: RequestPlace): void {
  if (!isJsonObject(auth)) return
  const count = ['basic', 'bearer'].filter((key) => Object.hasOwn(auth, key)).length
  if (count === 1) return
  context.report([...path, 'auth'], {
    code: count === 0 ? 'missing-field' : 'bad-value',
    message: count === 0 ? '`auth` has no credentials.' : '`auth` has both `basic` and `bearer`.',
    hint: 'Write one of `basic: {username, password}` and `bearer: token`.',
  })
}

function attempt(check: () => void, { context, path }: RequestPlace): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof BuildProblem)) throw error
    const severity = context.options.compat ? 'warning' : 'error'
    context.report(path, { code: 'bad-value', severity, message: `${error.message}.` })
  }
}
