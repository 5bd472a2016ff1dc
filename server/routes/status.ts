import { EVERY_METHOD, ownPath, readOption, sendDocument, sendEmpty } from '../context.ts'
import type { EchoContext, EchoRouter } from '../context.ts'
import { HttpProblem } from '../http-problem.ts'
import { seededBytes } from '../numbers.ts'

const TEAPOT = String.raw`
    -=[ teapot ]=-

       _...._
     .'  _ _ ${'`'}.
    | ."${'`'} ^ ${'`'}". _,
    \_;${'`'}"---"${'`'}|//
      |       ;/
      \_     _/
        ${'`'}"""${'`'}
`
const NOT_ACCEPTABLE =
  '{"message": "Client did not request a supported media type.", "accept": ["image/webp", "image/svg+xml", "image/jpeg", "image/png", "image/*"]}'

/** Codes whose answer is more than an empty body, as in httpbin; it has no content type but its own. */
const SPECIAL: Record<number, { headers?: Record<string, string>; body?: string }> = {
  301: {},
  302: {},
  303: {},
  304: {},
  305: {},
  307: {},
  401: { headers: { 'WWW-Authenticate': 'Basic realm="Fake Realm"' } },
  402: { headers: { 'X-More-Info': 'http://vimeo.com/22053820' }, body: 'Fuck you, pay me!' },
  406: { headers: { 'Content-Type': 'application/json' }, body: NOT_ACCEPTABLE },
  407: { headers: { 'Proxy-Authenticate': 'Basic realm="Fake Realm"' } },
  418: { headers: { 'X-More-Info': 'http://tools.ietf.org/html/rfc2324' }, body: TEAPOT },
}

/** `/status/{codes}`: one of them; `/unstable`: 500 at random; `/problem`: an error in the form of RFC 9457. */
export function addStatusRoutes(router: EchoRouter): void {
  router.register('/status/:codes', EVERY_METHOD, (ctx) =>
    sendStatus(ctx, pickCode(ctx.params['codes'] ?? '')),
  )
  router.get('/unstable', (ctx) => {
    const rate = readOption(ctx, 'failure_rate') ?? '0.5'
    if (!/^(?:0(?:\.[0-9]+)?|1(?:\.0+)?|\.[0-9]+)$/.test(rate))
      throw new HttpProblem(400, `expected failure_rate from 0 to 1, got "${rate}"`)
    const seed = readOption(ctx, 'seed')
    const chance = seed === undefined ? Math.random() : seededBytes(seed, 4).readUInt32BE() / 2 ** 32
    sendEmpty(ctx, chance < Number(rate) ? 500 : 200)
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
}

/** The answer httpbin gives for a status. */
export function sendStatus(ctx: EchoContext, status: number): void {
  const special = SPECIAL[status]
  if (special) {
    ctx.status = status
    sendDocument(ctx, 'text/html', special.body ?? '')
    ctx.remove('Content-Type')
    ctx.set(special.headers ?? {})
    if (status < 400 && status !== 304) ctx.set('Location', ownPath(ctx, '/redirect/1'))
  } else sendEmpty(ctx, status)
  if (status === 204 || status === 304) ctx.remove('Content-Length')
  // Koa would take the content type from these.
  if (status === 204 || status === 205) ctx.flushHeaders()
}

/**
 * Reads a status code that a final answer can have.
 * @throws HttpProblem 400 when it is not an integer from 200 to 599
 */
export function readStatus(text: string): number {
  const code = /^[0-9]{3}$/.test(text) ? Number(text) : 0
  if (code >= 200 && code <= 599) return code
  throw new HttpProblem(400, `expected a status code from 200 to 599, got "${text}"`)
}

function pickCode(codes: string): number {
  if (!codes.includes(',')) return readStatus(codes)
  const choices = codes.split(',').map(readChoice)
  const total = choices.reduce((sum, { weight }) => sum + weight, 0)
  if (!(total > 0)) throw new HttpProblem(400, `expected weights with a sum above 0, got "${codes}"`)
  let rest = Math.random() * total
  // Rounding may leave a rest: then it is the first that can be picked at all.
  const picked =
    choices.find(({ weight }) => (rest -= weight) < 0) ?? choices.find(({ weight }) => weight > 0)
  return picked?.code ?? 200
}

function readChoice(choice: string): { code: number; weight: number } {
  const [code = '', weight = '1', ...more] = choice.split(':')
  if (more.length > 0 || !/^[0-9]{1,9}(?:\.[0-9]{1,9})?$/.test(weight))
    throw new HttpProblem(400, `expected a weight such as 200:3, got "${choice}"`)
  return { code: readStatus(code), weight: Number(weight) }
}
