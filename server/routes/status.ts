import { HttpProblem } from '../http-problem.ts'
import { type Reply, replyEmpty } from '../reply.ts'
import { EVERY_METHOD, type Route } from '../route.ts'

const REDIRECT = ['Location', '/redirect/1']
const ACCEPTED = ['image/webp', 'image/svg+xml', 'image/jpeg', 'image/png', 'image/*']
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

/** Codes whose answer is more than an empty body, as in httpbin; these have no content type of their own. */
const SPECIAL: Record<number, Omit<Reply, 'status'>> = {
  301: { headers: REDIRECT },
  302: { headers: REDIRECT },
  303: { headers: REDIRECT },
  304: { headers: [] },
  305: { headers: REDIRECT },
  307: { headers: REDIRECT },
  401: { headers: ['WWW-Authenticate', 'Basic realm="Fake Realm"'] },
  402: { headers: ['X-More-Info', 'http://vimeo.com/22053820'], body: 'Fuck you, pay me!' },
  406: {
    headers: ['Content-Type', 'application/json'],
    body: `{"message": "Client did not request a supported media type.", "accept": [${ACCEPTED.map((type) => `"${type}"`).join(', ')}]}`,
  },
  407: { headers: ['Proxy-Authenticate', 'Basic realm="Fake Realm"'] },
  418: { headers: ['X-More-Info', 'http://tools.ietf.org/html/rfc2324'], body: TEAPOT },
}

/** `/status/{codes}`: an answer with that status; of `200:3,500:1` one is picked by weight. */
export const statusRoutes: Route[] = [
  {
    methods: EVERY_METHOD,
    path: '/status/:codes',
    handle: ({ params }) => replyStatus(pickCode(params.codes ?? '')),
  },
]

/** The answer httpbin gives for a status. */
export function replyStatus(status: number): Reply {
  const special = SPECIAL[status]
  return special ? { status, ...special } : replyEmpty(status)
}

/**
 * Reads a status code that a final answer can have.
 * @throws HttpProblem 400 when it is not an integer from 200 to 599
 */
export function readStatus(text: string): number {
  const code = /^[0-9]{3}$/.test(text) ? Number(text) : 0
  if (code < 200 || code > 599)
    throw new HttpProblem(400, `expected a status code from 200 to 599, got "${text}"`)
  return code
}

function pickCode(codes: string): number {
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
  if (more.length > 0 || !/^[0-9]{1,9}(?:\.[0-9]{1,9})?$/.test(weight)) {
    throw new HttpProblem(400, `expected a weight such as 200:3, got "${choice}"`)
  }
  return { code: readStatus(code), weight: Number(weight) }
}
