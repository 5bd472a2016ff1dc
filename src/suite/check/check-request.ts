import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ProblemText } from '../../errors.ts'
import { readAuth } from '../../request/auth/schemes.ts'
import { RequestProblem, readText } from '../../request/request-problem.ts'
import { checkTls, tlsFiles } from '../../request/build/build-connection.ts'
import type { TlsSettings } from '../../request/exchange.ts'
import { completeHeaders, readHeaders } from '../../request/build/build-headers.ts'
import { readTypedPart } from '../../request/build/build-body.ts'
import { readMethod } from '../../request/build/build-request.ts'
import { parseProxy } from '../../request/transport/proxy.ts'
import { buildUrl, listPairs, readWrittenPath, toHttpUrl } from '../../request/build/build-url.ts'
import { isJsonObject, mapLeaves, type Json, type JsonObject, type ValuePath } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { bodies } from '../schema/schema-request.ts'
import { findNode } from '../source-tree.ts'

/** The place of a part of a suite. */
type RequestPlace = { context: LoadContext; path: ValuePath }

function inside({ context, path }: RequestPlace, ...keys: ValuePath): RequestPlace {
  return { context, path: [...path, ...keys] }
}

/** Runs a check and reports the RequestProblem it throws; returns true if there is none. */
function attempt(
  { context, path }: RequestPlace,
  check: () => unknown,
  severity: ProblemText['severity'] = 'doubt',
): boolean {
  try {
    check()
    return true
  } catch (error) {
    if (!(error instanceof RequestProblem)) throw error
    context.report(path, { severity, message: `${error.message}.` })
    return false
  }
}

/** Checks the `base_url` of a suite, unless it depends on variables. */
export function checkBaseUrl(base: Json | undefined, context: LoadContext): void {
  if (isKnown(base)) attempt({ context, path: ['base_url'] }, () => buildUrl('', undefined, base))
}

/** Checks everything about a request that does not depend on variables, with the functions that build it: URL, method, header names, shapes of fields, files. */
export function checkRequest(request: JsonObject, place: RequestPlace): void {
  const { method, file, multipart } = request
  const { folder } = place.context.options
  if (isKnown(method)) attempt(inside(place, 'method'), () => readMethod(method))
  checkUrl(request['url'], inside(place, 'url'))
  for (const key of ['headers', 'auth']) checkPlaceholders(request[key], inside(place, key))
  checkFile(file, inside(place, 'file'))
  const fields = isJsonObject(multipart) ? Object.entries(multipart) : []
  const hasFile = fields.some(([, value]) => [value].flat().some(isJsonObject))
  for (const [name, value] of fields)
    for (const [index, part] of [value].flat().entries()) {
      const at = inside(place, 'multipart', name, ...(Array.isArray(value) ? [index] : []))
      if (typeof part === 'object' && part !== null) attempt(at, () => readTypedPart(name, part))
      if (isJsonObject(part)) checkFile(part['file'], inside(at, 'file'))
      else if (!hasFile && isKnown(part) && /\.\w+$/.test(part) && existsSync(resolve(folder, part)))
        place.context.report(at.path, {
          severity: 'warning',
          message: `This text is the name of a file, but is sent as text. To send the file, write \`{ file: ${part} }\`.`,
        })
    }
  checkConnection(request, place)
  checkHeaders(request, place)
  for (const key of ['params', 'form'])
    checkFields(request[key], inside(place, key), (field) => listPairs(field, key))
  checkBody(request, place)
}

function checkBody({ headers, ...request }: JsonObject, { context, path }: RequestPlace): void {
  const [key, other] = bodies.filter((name) => Object.hasOwn(request, name))
  if (key !== undefined && other !== undefined)
    context.reportKey([...path, other], {
      message: `A request has one body; this one has \`${key}\` and \`${other}\`.`,
      hint: 'Keep one of them.',
    })
  else if (key !== undefined && key !== 'graphql' && !Object.hasOwn(request, 'method'))
    context.reportKey([...path, key], {
      severity: 'warning',
      message: `A \`${key}\` without \`method\` is sent with GET.`,
      hint: 'Write `method: POST`.',
    })
  // Texts are sent as text/plain, which hardly any server reads as JSON.
  const { body } = request
  const isTyped = isJsonObject(headers) && Object.keys(headers).some((name) => /^content-type$/i.test(name))
  if (typeof body === 'string' && /^\s*(?:\{\s*"|\[\s*["{])/.test(body) && !isTyped)
    context.report([...path, 'body'], {
      severity: 'warning',
      message: 'This text looks like JSON, but is sent as text/plain.',
      hint: 'Write it as a map or list without quotes, or add the header `content-type: application/json`.',
    })
}

/** Checks the URL and headers of a WebSocket's handshake. */
export function checkHandshake(handshake: JsonObject, place: RequestPlace): void {
  const { url, headers = null } = handshake
  checkConnection(handshake, place)
  checkUrl(typeof url === 'string' ? toHttpUrl(url) : undefined, inside(place, 'url'))
  checkHeaders({ headers }, place)
}

/** Checks the credentials and each header by itself and, if all headers are valid, everything together. */
function checkHeaders({ auth, headers }: JsonObject, place: RequestPlace): void {
  const { context } = place
  const ofAuth = inside(place, 'auth')
  const [start, end] = findNode(context.tree, ofAuth.path).range
  // Problems that are already known are not reported twice.
  const isRefused = context.problems.some(
    ({ severity, range }) => severity === 'error' && range[0] >= start && range[1] <= end,
  )
  const read = (): ReturnType<typeof readAuth> =>
    readAuth(fillTemplates(auth ?? null), { baseUrl: 'http://host' })
  const hasAuth = auth !== undefined && !isRefused && attempt(ofAuth, read, 'error')
  const ofHeaders = inside(place, 'headers')
  if (checkFields(headers, ofHeaders, readHeaders) && isJsonObject(headers))
    attempt(ofHeaders, () => {
      const filled = readHeaders(fillTemplates(headers) as JsonObject)
      completeHeaders(filled, undefined, hasAuth ? read() : undefined)
    })
}

/** Checks fields one by one, so that each is reported at its own place; returns true if all are valid. */
function checkFields(
  map: Json | undefined,
  place: RequestPlace,
  check: (field: JsonObject) => unknown,
): boolean {
  const fields = isJsonObject(map) ? Object.entries(map) : []
  return fields
    .map(([name, value]) =>
      attempt(inside(place, name), () => check({ __proto__: null, [name]: fillTemplates(value) })),
    )
    .every(Boolean)
}

/** Replaces templates, and texts with control characters, which only fail when sent, with a valid text. */
function fillTemplates(value: Json): Json {
  return mapLeaves(value, (leaf) =>
    typeof leaf === 'string' && (hasTemplate(leaf) || /\p{Cc}/u.test(leaf)) ? 'text' : leaf,
  )
}

/** Checks a URL as far as it does not depend on variables, and warns of placeholders of OpenAPI, Express and JavaScript. */
function checkUrl(url: Json | undefined, place: RequestPlace): void {
  if (typeof url !== 'string') return
  // The base it is joined to is checked separately.
  if (!hasTemplate(url)) attempt(place, () => buildUrl(url, undefined, 'http://host'))
  const [found, ...names] = /\$?\{([\w.-]+)\}|(?<=\/):([a-z_]\w*)/i.exec(readWrittenPath(url)) ?? []
  if (found === undefined) return
  place.context.report(place.path, {
    severity: 'warning',
    message: `\`${found}\` is not a template, so it is sent as written.`,
    hint: `Write \`{{${names.find(Boolean)}}}\` to insert a variable.`,
  })
}

/** Warns of values that are a placeholder of another tool, alone or behind a word as in `Bearer {token}`. Does not repeat them: they may be secret. */
function checkPlaceholders(value: Json | undefined, place: RequestPlace): void {
  if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) checkPlaceholders(part, inside(place, name))
  if (typeof value === 'string' && /^(?:[a-z]+ )?\$?\{[a-z_][\w.]*\}$/i.test(value))
    place.context.report(place.path, {
      severity: 'warning',
      message: 'This value is not a template, so it is sent as written.',
      hint: 'Write two braces, as in `{{name}}`, to insert a variable.',
    })
}

/** Reports a file that cannot be read, unless its name depends on variables. */
export function checkFile(file: Json | undefined, { context, path }: RequestPlace): void {
  if (isKnown(file)) context.readFile(file, path, 'later')
}

/** True for a text that is not blank and does not depend on variables. */
function isKnown(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '' && !hasTemplate(value)
}

/** Checks `proxy` and the `tls` files of a suite or request, as far as they do not depend on variables. */
export function checkConnection({ proxy, tls }: JsonObject, place: RequestPlace): void {
  if (typeof proxy === 'string' && !hasTemplate(proxy))
    attempt(inside(place, 'proxy'), () => parseProxy(proxy))
  if (!isJsonObject(tls)) return
  const { passphrase } = tls
  const settings: TlsSettings = {}
  // Settings with a template are checked when the step runs.
  let isOpen = hasTemplate(passphrase)
  for (const name of tlsFiles) {
    const file = tls[name]
    if (typeof file !== 'string') continue
    const at = [...place.path, 'tls', name]
    // Around a certificate there may be notes in any encoding.
    const text = hasTemplate(file) ? undefined : place.context.readFile(file, at, 'any')
    if (text === undefined) isOpen = true
    else settings[name] = Buffer.from(text, 'latin1')
  }
  if (isOpen) return
  attempt(inside(place, 'tls'), () => {
    if (passphrase !== undefined) settings.passphrase = readText(passphrase, 'tls.passphrase')
    checkTls(settings)
  })
}
