import { readOption, type EchoContext, type EchoRouter } from '../context.ts'
import { HttpProblem } from '../http-problem.ts'
import { readCount } from '../numbers.ts'
import { readStatus } from './status.ts'

/**
 * For tests of retries, with a memory per server and key: `/flaky/{key}?fail=2&status=503` fails the first requests, then
 * succeeds; `/sequence/{key}?statuses=500,429,200` gives one status after the other, the last one ever after.
 * DELETE starts anew.
 */
export function addRetryRoutes(router: EchoRouter): void {
  addCounted(router, '/flaky', (ctx) => {
    const fail = readCount(readOption(ctx, 'fail') ?? '1', { min: 0, max: 1_000_000 })
    const failure = readStatus(readOption(ctx, 'status') ?? '503')
    return (attempt) => ({ status: attempt <= fail ? failure : 200, remaining: fail - attempt })
  })
  addCounted(router, '/sequence', (ctx) => {
    const list = readOption(ctx, 'statuses')
    if (list === undefined)
      throw new HttpProblem(400, 'expected a query parameter such as statuses=500,429,200')
    const statuses = list.split(',').map(readStatus)
    return (attempt) => ({
      status: statuses[Math.min(attempt, statuses.length) - 1] ?? 200,
      remaining: statuses.length - attempt,
    })
  })
}

type Plan = (attempt: number) => { status: number; remaining: number }

function addCounted(router: EchoRouter, path: string, readPlan: (ctx: EchoContext) => Plan): void {
  /** Requests by key; the longest unused first. */
  const counts = new Map<string, number>()
  router.register(`${path}/:key`, ['GET', 'POST', 'PUT', 'PATCH'], (ctx) => {
    const plan = readPlan(ctx)
    const key = ctx.params['key'] ?? ''
    const attempt = (counts.get(key) ?? 0) + 1
    counts.delete(key)
    counts.set(key, attempt)
    const [oldest] = counts.size > ctx.state.echo.limits.maxKeys ? counts.keys() : []
    if (oldest !== undefined) counts.delete(oldest)
    const { status, remaining } = plan(attempt)
    ctx.status = status
    ctx.body = { attempt, key, remaining: Math.max(0, remaining), status }
  })
  router.delete(`${path}/:key`, (ctx) => {
    const key = ctx.params['key'] ?? ''
    ctx.body = { key, requests: counts.get(key) ?? 0 }
    counts.delete(key)
  })
}
