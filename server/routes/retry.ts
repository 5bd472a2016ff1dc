import { HttpProblem } from '../http-problem.ts'
import { readCount } from '../numbers.ts'
import type { EchoRequest } from '../request/echo-request.ts'
import { firstField, parseFields } from '../request/fields.ts'
import { type Reply, replyJson } from '../reply.ts'
import type { Route } from '../route.ts'
import { countRequest, forgetRequests } from '../state.ts'
import { readStatus } from './status.ts'

/**
 * For tests of retries, with a memory per server and key: `/flaky/{key}?fail=2&status=503` fails the first requests, then
 * succeeds; `/sequence/{key}?statuses=500,429,200` gives one status after the other, the last one ever after.
 * DELETE starts anew.
 */
export const retryRoutes: Route[] = [
  { methods: ['GET', 'POST', 'PUT', 'PATCH'], path: '/flaky/:key', handle: replyFlaky },
  { methods: ['DELETE'], path: '/flaky/:key', handle: (request) => replyReset(request, 'flaky') },
  { methods: ['GET', 'POST', 'PUT', 'PATCH'], path: '/sequence/:key', handle: replySequence },
  { methods: ['DELETE'], path: '/sequence/:key', handle: (request) => replyReset(request, 'sequence') },
]

function replyFlaky(request: EchoRequest): Reply {
  const fields = parseFields(request.query)
  const fail = readCount(firstField(fields, 'fail') ?? '1', { min: 0, max: 1_000_000 })
  const failure = readStatus(firstField(fields, 'status') ?? '503')
  const { key, attempt } = count(request, 'flaky')
  const status = attempt <= fail ? failure : 200
  return replyJson({ attempt, key, remaining: Math.max(0, fail - attempt), status }, status)
}

function replySequence(request: EchoRequest): Reply {
  const list = firstField(parseFields(request.query), 'statuses')
  if (list === undefined)
    throw new HttpProblem(400, 'expected a query parameter such as statuses=500,429,200')
  const statuses = list.split(',').map(readStatus)
  const { key, attempt } = count(request, 'sequence')
  const status = statuses[Math.min(attempt, statuses.length) - 1] ?? 200
  return replyJson({ attempt, key, remaining: Math.max(0, statuses.length - attempt), status }, status)
}

function replyReset({ params, state }: EchoRequest, route: string): Reply {
  const key = params['key'] ?? ''
  return replyJson({ key, requests: forgetRequests(state, `${route}/${key}`) })
}

function count({ params, state, limits }: EchoRequest, route: string): { key: string; attempt: number } {
  const key = params['key'] ?? ''
  return { key, attempt: countRequest(state, `${route}/${key}`, limits.maxKeys) }
}
