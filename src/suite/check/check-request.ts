import type { ProblemText } from '../../errors.ts'
import { listSchemes, readAuth } from '../../request/auth/schemes.ts'
import { BuildProblem } from '../../request/build-problem.ts'
import { checkProxy, checkTls, tlsFiles } from '../../request/build/build-connection.ts'
import type { Authorizer, TlsSettings } from '../../request/exchange.ts'
import { completeHeaders, readHeaders } from '../../request/build/build-headers.ts'
import { readFilePart } from '../../request/build/build-body.ts'
import { readMethod } from '../../request/build/build-request.ts'
import { buildUrl, listFields, readWrittenPath, toHttpUrl } from '../../request/build/build-url.ts'
import { isJsonObject, mapLeaves, type Json, type JsonObject } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { findNode, type ValuePath } from '../source-tree.ts'

type RequestPlace = { context: LoadContext; path: ValuePath }

const BODIES = ['body', 'form', 'multipart', 'file', 'graphql']

/** Checks the `base_url` of a suite as far as it does not depend on variables. */
export function checkBaseUrl(base: Json | undefined, context: LoadContext): void {
  if (typeof base !== 'string' || hasTemplate(base)) return
  const path = ['base_url']
  if (base.trim() !== '') return attempt(() => void buildUrl('', undefined, base), { context, path })
  const message = 'Expected `base_url` to be a URL, got an empty text.'
  context.report(path, { message, hint: 'Write a URL, or leave it out.' })
}

/** Checks of a request what does not depend on variables, with the functions that build it: url, method, names of headers, shapes of fields, files. */
export function checkRequest(request: JsonObject, place: RequestPlace): void {
  checkMethod(request['method'], place)
  checkUrl(request['url'], { ...place, path: [...place.path, 'url'] })
  checkFile(request['file'], { ...place, path: [...place.path, 'file'] })
  checkParts(request['multipart'], { ...place, path: [...place.path, 'multipart'] })
  checkConnection(request, place)
  checkHeaders(request, checkAuth(request['auth'], place), place)
  checkText(request, place)
  for (const key of ['params', 'form'])
    checkFields(request, { ...place, key }, (field) => void listFields(field, key))
  const bodies = BODIES.filter((key) => Object.hasOwn(request, key))
  if (bodies.length > 1)
    place.context.report(
      [...place.path, bodies[1] as string],
      {
        message: `A request has one body; this one has ${bodies.map((key) => `\`${key}\``).join(' and ')}.`,
        hint: 'Keep one of them.',
      },
      'key',
    )
  const [body = ''] = bodies
  if (bodies.length === 1 && body !== 'graphql' && !Object.hasOwn(request, 'method'))
    place.context.report(
      [...place.path, body],
      {
        severity: 'warning',
        message: `A \`${body}\` without \`method\` is sent with GET.`,
        hint: 'Write `method: POST`.',
      },
      'key',
    )
}

/** A text is sent as such, and hardly any server takes plain text for JSON. */
function checkText({ body, headers }: JsonObject, { context, path }: RequestPlace): void {
  if (typeof body !== 'string' || !/^\s*(?:\{\s*"|\[\s*["{])/.test(body)) return
  const names = isJsonObject(headers) ? Object.keys(headers) : []
  if (names.some((name) => name.toLowerCase() === 'content-type')) return
  context.report([...path, 'body'], {
    severity: 'warning',
    message: 'This text looks like JSON, and is sent as text/plain.',
    hint: 'Write it as a map or list without quotes, or give the header `content-type: application/json`.',
  })
}

/** Checks the url and the headers of a WebSocket's handshake. */
export function checkHandshake({ url, headers }: JsonObject, place: RequestPlace): void {
  const http = typeof url === 'string' ? toHttpUrl(url) : undefined
  checkUrl(http, { ...place, path: [...place.path, 'url'] })
  if (isJsonObject(headers)) checkHeaders({ headers }, undefined, place)
}

/** Each header on its own, and if nothing is wrong with one of them all together. */
function checkHeaders(request: JsonObject, auth: Authorizer | undefined, place: RequestPlace): void {
  const { problems } = place.context
  const before = problems.length
  checkFields(request, { ...place, key: 'headers' }, (header) => void readHeaders(header))
  const { headers } = request
  if (!isJsonObject(headers) || problems.length > before) return
  attempt(() => void completeHeaders(readHeaders(fillTemplates(headers) as JsonObject), undefined, auth), {
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
  return mapLeaves(value, (leaf) =>
    typeof leaf === 'string' && (hasTemplate(leaf) || /\p{Cc}/u.test(leaf)) ? 'text' : leaf,
  )
}

/** What depends on no variable, and what only looks like one: the placeholders of OpenAPI, Express and JavaScript. */
function checkUrl(url: Json | undefined, place: RequestPlace): void {
  if (typeof url !== 'string') return
  // What it is joined to is checked on its own.
  if (!hasTemplate(url)) attempt(() => void buildUrl(url, undefined, 'http://host'), place)
  const [found, ...names] = /\$?\{([\w.-]+)\}|(?<=\/):([a-z_]\w*)/i.exec(readWrittenPath(url)) ?? []
  if (found === undefined) return
  place.context.report(place.path, {
    severity: 'warning',
    message: `\`${found}\` is not a template: it is sent as it is written.`,
    hint: `Write \`{{${names.find(Boolean)}}}\` to insert a variable.`,
  })
}

function checkFile(file: Json | undefined, { context, path }: RequestPlace): void {
  if (typeof file === 'string' && file.trim() !== '' && !hasTemplate(file)) context.checkFile(file, path)
}

function checkParts(parts: Json | undefined, { context, path }: RequestPlace): void {
  if (!isJsonObject(parts)) return
  for (const [name, value] of Object.entries(parts))
    for (const [index, part] of (Array.isArray(value) ? value : [value]).entries()) {
      const place = { context, path: [...path, name, ...(Array.isArray(value) ? [index] : [])] }
      if (typeof part !== 'object' || part === null) continue
      attempt(() => void readFilePart(name, part), place)
      if (isJsonObject(part)) checkFile(part['file'], { context, path: [...place.path, 'file'] })
    }
}

function checkMethod(method: Json | undefined, { context, path }: RequestPlace): void {
  if (typeof method !== 'string' || method.trim() === '' || hasTemplate(method)) return
  attempt(() => void readMethod(method), { context, path: [...path, 'method'] })
}

/** One scheme, and what its settings say; templates stand for a text. */
function checkAuth(auth: Json | undefined, { context, path }: RequestPlace): Authorizer | undefined {
  const place = [...path, 'auth']
  const [start, end] = findNode(context.tree, place).range
  // What is found wrong is not said twice.
  const isRefused = context.problems.some(
    ({ severity, range }) => severity === 'error' && range[0] >= start && range[1] <= end,
  )
  const given = isJsonObject(auth) ? listSchemes().filter((name) => Object.hasOwn(auth, name)) : []
  let authorizer: Authorizer | undefined
  if (auth !== undefined && (given.length > 1 || !isRefused))
    attempt(() => (authorizer = readAuth(fillTemplates(auth), { baseUrl: 'http://host' })), {
      context,
      path: place,
      severity: 'error',
    })
  return authorizer
}

/** Checks `proxy` and the files of `tls`, of a suite or a request, as far as they do not depend on variables. */
export function checkConnection(owner: JsonObject, { context, path }: RequestPlace): void {
  const { proxy, tls } = owner
  if (typeof proxy === 'string' && !hasTemplate(proxy))
    attempt(() => void checkProxy(proxy), { context, path: [...path, 'proxy'] })
  if (!isJsonObject(tls)) return
  const { problems } = context
  const before = problems.length
  const settings: TlsSettings = {}
  for (const name of tlsFiles) {
    const file = tls[name]
    if (typeof file !== 'string' || hasTemplate(file)) continue
    const text = context.readFile(file, [...path, 'tls', name])
    if (text !== undefined) settings[name] = Buffer.from(text)
  }
  const { passphrase } = tls
  if (typeof passphrase === 'string') settings.passphrase = passphrase
  // What a template says is known when the step runs, and checked then.
  const isOpen = [...tlsFiles, 'passphrase'].some((name) => hasTemplate(tls[name]))
  if (!isOpen && problems.length === before)
    attempt(() => checkTls(settings), { context, path: [...path, 'tls'] })
}

/** Reports what a check throws. */
function attempt(
  check: () => void,
  { context, path, severity = 'doubt' }: RequestPlace & Pick<ProblemText, 'severity'>,
): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof BuildProblem)) throw error
    context.report(path, { severity, message: `${error.message}.` })
  }
}
