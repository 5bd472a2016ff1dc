import type { ProblemText } from '../../errors.ts'
import { readAuth } from '../../request/auth/schemes.ts'
import { RequestProblem, readText } from '../../request/request-problem.ts'
import { checkTls, tlsFiles } from '../../request/build/build-connection.ts'
import type { TlsSettings } from '../../request/exchange.ts'
import { readHeaders } from '../../request/build/build-headers.ts'
import { readTypedPart } from '../../request/build/build-body.ts'
import { readMethod } from '../../request/build/build-request.ts'
import { parseProxy } from '../../request/transport/proxy.ts'
import { buildUrl, listPairs, toHttpUrl } from '../../request/build/build-url.ts'
import { isJsonObject, mapLeaves, stringifyJson, type Json, type JsonObject } from '../../json.ts'
import { placeInside, type ContextPlace, type LoadContext } from '../load-context.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { bodies } from '../schema/schema-request.ts'
import { findNode } from '../source-tree.ts'

function attempt(
  { context, path }: ContextPlace,
  check: () => unknown,
  severity: ProblemText['severity'] = 'doubt',
): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof RequestProblem)) throw error
    context.report(path, { severity, message: `${error.message}.` })
  }
}

/** Checks the `base_url` of a suite, unless it depends on variables. */
export function checkBaseUrl(base: Json | undefined, context: LoadContext): void {
  if (isKnown(base)) attempt({ context, path: ['base_url'] }, () => buildUrl('', undefined, base))
}

/** Checks what does not depend on variables in a request, with the functions that build it: URL, method, header names, credentials, shapes of fields, files. */
export function checkRequest(request: JsonObject, place: ContextPlace): void {
  const { method, file, multipart } = request
  if (isKnown(method)) attempt(placeInside(place, 'method'), () => readMethod(method))
  checkUrl(request['url'], placeInside(place, 'url'))
  checkFile(file, placeInside(place, 'file'))
  const hasFile = /"file":/.test(stringifyJson(multipart ?? null))
  for (const [field, value] of isJsonObject(multipart) ? Object.entries(multipart) : [])
    for (const [index, part] of [value].flat().entries()) {
      const at = placeInside(place, 'multipart', field, ...(Array.isArray(value) ? [index] : []))
      if (typeof part === 'object' && part !== null) attempt(at, () => readTypedPart(field, part))
      if (isJsonObject(part)) checkFile(part['file'], placeInside(at, 'file'))
      // Beside a file, there may be a field with its name.
      if (!hasFile) warnOfFile(part, at, `below \`${field}\``)
    }
  checkConnection(request, place)
  checkAuth(request['auth'], placeInside(place, 'auth'))
  checkFields(request['headers'], placeInside(place, 'headers'), readHeaders)
  for (const key of ['params', 'form'])
    checkFields(request[key], placeInside(place, key), (field) => listPairs(field, key))
  checkBody(request, place)
  for (const [key, value] of Object.entries(request)) {
    const text = readLiterals(value)
    const [, name] = (key !== 'url' && /\$\{([A-Z][A-Z\d_]*)\}/.exec(text)) || []
    if (/\{%[^%]*%\}/.test(text))
      place.context.reportKey([...place.path, key], {
        severity: 'warning',
        message: 'A `{% … %}` as Insomnia writes it is not filled in.',
        hint: 'Write `{{js: crypto.randomUUID()}}` for a UUID, and capture what an earlier response has.',
      })
    else if (name !== undefined)
      place.context.reportKey([...place.path, key], {
        severity: 'warning',
        message: 'An environment variable as shells write it is not filled in.',
        hint: `Write \`{{$env.${name}}}\`.`,
      })
  }
}

/** A value as JSON without its templates: `${…}` inside `{{js: …}}` is a part of a template literal. */
export function readLiterals(value: unknown): string {
  return stringifyJson(value ?? null).replaceAll(/\{\{.*?\}\}/g, '')
}

/** Warns of a text that names a file, as curl and Postman's collections do. */
function warnOfFile(value: Json | undefined, { context, path }: ContextPlace, where: string): void {
  const [, name] = (typeof value === 'string' && /^@?([^\s:{}]+\.\w{1,8})$/.exec(value)) || []
  if (name !== undefined && context.hasFile(name))
    context.report(path, {
      severity: 'warning',
      message: `\`${name}\` is sent as a text, although there is a file of this name.`,
      hint: `To send the file, write \`file: ${name}\` ${where}.`,
    })
}

/** What Postman calls the kinds of a body. */
const KINDS = new Map([
  ['urlencoded', 'form'],
  ['formdata', 'multipart'],
])

function checkBody({ headers, ...request }: JsonObject, { context, path }: ContextPlace): void {
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
  // Postman names the kind of a body in its `mode`.
  const { mode, ...fields } = isJsonObject(body) ? body : {}
  const [[kind, inner] = ['', null], ...more] = Object.entries(fields)
  const isOnly = more.length === 0
  const isKind = mode === undefined && /^(?:form|graphql|multipart|json)$/.test(kind) && isJsonObject(inner)
  if (isOnly && (mode === kind || isKind))
    context.reportKey([...path, 'body', kind], {
      severity: 'warning',
      message: `This body is sent as JSON with the field \`${kind}\`.`,
      hint:
        kind === 'json' || kind === 'raw'
          ? 'Write what is below it as `body`, if it is not a field.'
          : `Write \`${KINDS.get(kind) ?? kind}\` beside \`url\`, without \`body\`, if it is not a field.`,
    })
  const file = isOnly && kind === 'file' ? inner : body
  warnOfFile(file, { context, path: [...path, 'body'] }, 'instead of `body`')
  const isTyped = isJsonObject(headers) && Object.keys(headers).some((name) => /^content-type$/i.test(name))
  if (typeof body === 'string' && /^\s*(?:\{\s*"|\[\s*["{])/.test(body) && !isTyped)
    context.report([...path, 'body'], {
      severity: 'warning',
      message: 'This text looks like JSON, but is sent as text/plain.',
      hint: 'Write it as a map or list without quotes, or add the header `content-type: application/json`.',
    })
}

/** Checks the URL and headers of a WebSocket's handshake. */
export function checkHandshake({ url, headers, ...connection }: JsonObject, place: ContextPlace): void {
  checkConnection(connection, place)
  checkUrl(typeof url === 'string' ? toHttpUrl(url) : undefined, placeInside(place, 'url'))
  checkFields(headers, placeInside(place, 'headers'), readHeaders)
}

/** Checks credentials, unless the schema has refused a part of them. */
function checkAuth(auth: Json | undefined, place: ContextPlace): void {
  const { context, path } = place
  const [start, end] = findNode(context.tree, path).range
  const isRefused = context.problems.some(
    ({ severity, range }) => severity === 'error' && range[0] >= start && range[1] <= end,
  )
  if (auth !== undefined && !isRefused)
    attempt(place, () => readAuth(fillTemplates(auth), { baseUrl: 'http://host' }), 'error')
}

/** Checks fields one by one, so that each is reported at its own place. */
function checkFields(
  map: Json | undefined,
  place: ContextPlace,
  check: (field: JsonObject) => unknown,
): void {
  for (const [name, value] of isJsonObject(map) ? Object.entries(map) : [])
    attempt(placeInside(place, name), () => check({ __proto__: null, [name]: fillTemplates(value) }))
}

/** Replaces templates, and texts with control characters, which only fail when sent, with a valid text. */
function fillTemplates(value: Json): Json {
  return mapLeaves(value, (leaf) =>
    typeof leaf === 'string' && (hasTemplate(leaf) || /\p{Cc}/u.test(leaf)) ? 'text' : leaf,
  )
}

/** A parameter of a path as other tools write it. */
const parameter = /(?<=\/)(?::([a-z_]\w*)|\$?\{(\w+)\})(?=[/?#]|$)/i

/** A host and a port, which have no scheme. */
const bareHost = /^(?:localhost|[\w-]+(?:\.[\w-]+)+):\d+(?=[/?#]|$)/i

function checkUrl(url: Json | undefined, place: ContextPlace): void {
  if (typeof url !== 'string') return
  if (!hasTemplate(url)) attempt(place, () => buildUrl(url, undefined, 'http://host'))
  const [host] = bareHost.exec(url) ?? []
  if (host !== undefined)
    place.context.report(place.path, {
      severity: 'warning',
      message: `\`${host}\` is taken as a path below \`base_url\`.`,
      hint: `For a server, write the whole address: \`http://${host}\`.`,
    })
  const [written, colon, braces] = parameter.exec(url) ?? []
  if (written !== undefined)
    place.context.report(place.path, {
      severity: 'warning',
      message: `\`${written}\` in the URL is sent as it is written.`,
      hint: `Write \`{{${colon ?? braces}}}\` to insert a variable.`,
    })
}

/** Reports a file that cannot be read, unless its name depends on variables. */
export function checkFile(file: Json | undefined, { context, path }: ContextPlace): void {
  if (isKnown(file)) context.readFile(file, path, 'later')
}

function isKnown(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '' && !hasTemplate(value)
}

/** Checks `proxy` and the `tls` files of a suite or request, as far as they do not depend on variables. */
export function checkConnection({ proxy, tls }: JsonObject, place: ContextPlace): void {
  if (typeof proxy === 'string' && !hasTemplate(proxy))
    attempt(placeInside(place, 'proxy'), () => parseProxy(proxy))
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
  attempt(placeInside(place, 'tls'), () => {
    if (passphrase !== undefined) settings.passphrase = readText(passphrase, 'tls.passphrase')
    checkTls(settings)
  })
}
