import { HttpProblem } from '../http-problem.ts'
import { readCount } from '../numbers.ts'
import { seededRandom } from '../random.ts'
import type { EchoRequest } from '../request/echo-request.ts'
import { firstField, parseFields } from '../request/fields.ts'
import { type Reply, replyEmpty, replyJson } from '../reply.ts'
import type { Route } from '../route.ts'

/** `/unstable?failure_rate=0.5` fails at random; `/problem` is an error in the form of RFC 9457. */
export const failureRoutes: Route[] = [
  { methods: ['GET'], path: '/unstable', handle: replyUnstable },
  { methods: ['GET'], path: '/problem', handle: replyProblem },
]

function replyUnstable({ query }: EchoRequest): Reply {
  const fields = parseFields(query)
  const rate = firstField(fields, 'failure_rate') ?? '0.5'
  if (!/^(?:0(?:\.[0-9]+)?|1(?:\.0+)?|\.[0-9]+)$/.test(rate)) {
    throw new HttpProblem(400, `expected failure_rate from 0 to 1, got "${rate}"`)
  }
  const seed = firstField(fields, 'seed')
  const chance =
    seed === undefined ? Math.random() : seededRandom(readCount(seed, { min: 0, max: 2 ** 32 - 1 }))()
  return replyEmpty(chance < Number(rate) ? 500 : 200)
}

function replyProblem({ path }: EchoRequest): Reply {
  const problem = {
    detail: 'The car is in the garage, and so is the key.',
    instance: path,
    status: 400,
    title: 'An example of a problem',
    type: 'about:blank',
  }
  return { ...replyJson(problem, problem.status), headers: ['Content-Type', 'application/problem+json'] }
}
