import { EVERY_METHOD, ownPath, readCount, readDecimal, readDocument, readOption } from '../context.ts'
import { seededBytes, sendEmpty, type EchoContext, type EchoRouter } from '../context.ts'
import { HttpProblem } from '../http-problem.ts'

const REDIRECTS = new Set([301, 302, 303, 305, 307])

/** What httpbin sends with some statuses other than redirects: headers, and the document used as body. */
const SPECIAL: Record<number, { headers?: Record<string, string>; body?: string }> = {
  304: {},
  401: { headers: { 'WWW-Authenticate': 'Basic realm="Fake Realm"' } },
  402: { headers: { 'X-More-Info': 'http://vimeo.com/22053820' }, body: 'pay.txt' },
  406: { headers: { 'Content-Type': 'application/json' }, body: 'accept.json' },
  407: { headers: { 'Proxy-Authenticate': 'Basic realm="Fake Realm"' } },
  418: { headers: { 'X-More-Info': 'http://tools.ietf.org/html/rfc2324' }, body: 'teapot.txt' },
}

/** How many keys of `/flaky` and `/sequence` are remembered. */
const MAX_KEYS = 10_000

/** `/status/{codes}`, `/unstable`, `/problem` (RFC 9457) and, for retries, `/flaky` and `/sequence`, which count per server and key until DELETE resets them. */
export function addStatusRoutes(router: EchoRouter): void {
  router.register('/status/:codes', EVERY_METHOD, (ctx) =>
    sendStatus(ctx, pickCode(ctx.params['codes'] ?? '')),
  )
  router.get('/unstable', (ctx) => {
    const rate = readDecimal('failure_rate', readOption(ctx, 'failure_rate') ?? '0.5', 1)
    const seed = readOption(ctx, 'seed')
    const chance = seed === undefined ? Math.random() : seededBytes(seed, 4).readUInt32BE() / 2 ** 32
    sendEmpty(ctx, chance < rate ? 500 : 200)
  })
  router.get('/problem', (ctx) => {
    ctx.status = 400
    ctx.set('Content-Type', 'application/problem+json')
    ctx.body = {
      detail: 'The car is in the garage, and so is the key.',
      instance: ctx.path,
      status: 400,
      title: 'An example of a problem',
      type: 'about:blank',
    }
  })
  addCounted(router, '/flaky', (ctx, attempt) => {
    const remaining = readCount(readOption(ctx, 'fail') ?? '1', 0, 1_000_000) - attempt
    const failure = readCount(readOption(ctx, 'status') ?? '503', 200, 599)
    return { status: remaining < 0 ? 200 : failure, remaining }
  })
  addCounted(router, '/sequence', (ctx, attempt) => {
    const list = readOption(ctx, 'statuses')
    if (list === undefined)
      throw new HttpProblem(400, 'expected a query parameter such as statuses=500,429,200')
    const statuses = list.split(',').map((status) => readCount(status, 200, 599))
    return { status: statuses[attempt - 1] ?? statuses.at(-1) ?? 200, remaining: statuses.length - attempt }
  })
}

type Plan = (ctx: EchoContext, attempt: number) => { status: number; remaining: number }

function addCounted(router: EchoRouter, path: string, plan: Plan): void {
  /** Requests by key, least recently used first. */
  const counts = new Map<string, number>()
  router.register(`${path}/:key`, ['GET', 'POST', 'PUT', 'PATCH'], (ctx) => {
    const key = ctx.params['key'] ?? ''
    const attempt = (counts.get(key) ?? 0) + 1
    const { status, remaining } = plan(ctx, attempt)
    counts.delete(key)
    counts.set(key, attempt)
    const [oldest] = counts.size > MAX_KEYS ? counts.keys() : []
    if (oldest !== undefined) counts.delete(oldest)
    ctx.status = status
    ctx.body = { attempt, key, remaining: Math.max(0, remaining), status }
  })
  router.delete(`${path}/:key`, (ctx) => {
    const key = ctx.params['key'] ?? ''
    ctx.body = { key, requests: counts.get(key) ?? 0 }
    counts.delete(key)
  })
}

export function sendStatus(ctx: EchoContext, status: number): void {
  sendEmpty(ctx, status)
  const special = REDIRECTS.has(status)
    ? { headers: { Location: ownPath(ctx, '/redirect/1') } }
    : SPECIAL[status]
  if (special) {
    if (special.body !== undefined) ctx.body = readDocument(special.body)
    ctx.remove('Content-Type')
    ctx.set(special.headers ?? {})
  }
  if (status === 204 || status === 304) ctx.remove('Content-Length')
  // For these, Koa would remove the content type.
  if (status === 204 || status === 205) ctx.flushHeaders()
}

function pickCode(codes: string): number {
  if (!codes.includes(',')) return readCount(codes, 200, 599)
  const choices = codes.split(',').map((choice) => {
    const [code = '', weight = '1'] = choice.split(/:(.*)/s)
    return { code: readCount(code, 200, 599), weight: readDecimal(`a weight in ${choice}`, weight, 1e9) }
  })
  const total = choices.reduce((sum, { weight }) => sum + weight, 0)
  if (!(total > 0)) throw new HttpProblem(400, `expected weights with a sum above 0, got "${codes}"`)
  let rest = Math.random() * total
  const possible = choices.filter(({ weight }) => weight > 0)
  // Rounding may leave a small rest; then the last code with a weight is picked.
  return (possible.find(({ weight }) => (rest -= weight) < 0) ?? possible.at(-1))?.code ?? 200
}
