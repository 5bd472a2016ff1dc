// Prints what interpolation costs, each row also as a ratio to a plain reference: `node bench/interpolation.ts`.
import { createEngine } from '../src/interpolation/expressions/engine.ts'
import { createExpressionValues } from '../src/interpolation/expressions/expression-values.ts'
import { interpolate } from '../src/interpolation/interpolate.ts'
import type { Scope } from '../src/interpolation/variables/scope.ts'

const engine = await createEngine()
const body = {
  items: Array.from({ length: 100 }, (_, id) => ({
    id,
    name: `item ${id}`,
    price: id / 2,
    tags: ['a', 'b'],
  })),
}
const scope: Scope = {
  layers: [{ token: 'T' }, { user: { id: 7 }, count: 3, list: [1, 2, 3] }],
  exports: { 'auth-flow': { token: 'E' } },
  env: { HOME: '/home' },
  engine,
  locals: { body, status_code: 200 },
}
const request = {
  url: '/users/{{user.id}}?count={{count}}',
  headers: { authorization: 'Bearer {{auth-flow.token}}', accept: 'application/json' },
  body: { id: '{{user.id}}', list: '{{list}}', plain: ['x', 'y', { z: 1 }] },
}
const values = createExpressionValues(scope)

const rows: [name: string, task: () => unknown][] = [
  ['plain reference', () => interpolate('{{user.id}}', scope)],
  ['reference in a text', () => interpolate('Bearer {{auth-flow.token}}', scope)],
  ['request of a step', () => interpolate(request, scope)],
  ['text without template', () => interpolate('/users', scope)],
  ['js: count + 1', () => interpolate('{{js: count + 1}}', scope)],
  ['js: Date.now()', () => interpolate('{{js: Date.now()}}', scope)],
  ['js: list.map(x => x * 2)', () => interpolate('{{js: list.map(x => x * 2)}}', scope)],
  ['condition on the status', () => engine.evaluate('status_code === 200', values)],
  ['condition on a body of 6 KB', () => engine.evaluate('body.items[99].id === 99', values)],
  ['callback over that body', () => engine.evaluate('body.items.every(item => item.price >= 0)', values)],
  ['in a process', () => engine.evaluate('(() => 1)()', values)],
  ['pattern, bounded', () => engine.test({ source: '^[a-z]+-\\d+$' }, 'abc-123')],
  ['pattern, timed', () => engine.test({ source: '^(a|b)+$' }, 'abab')],
]

const unit = measure(rows[0]?.[1] ?? (() => undefined))
for (const [name, task] of rows) {
  const cost = measure(task)
  console.log(
    `${name.padEnd(32)} ${cost.toFixed(2).padStart(9)} µs ${(cost / unit).toFixed(1).padStart(8)} ×`,
  )
}
const fresh = measure(() =>
  engine.evaluate('body.items.length', createExpressionValues({ ...scope, locals: { body: { ...body } } })),
)
console.log(
  `${'load a body of 6 KB'.padEnd(32)} ${fresh.toFixed(2).padStart(9)} µs ${(fresh / unit).toFixed(1).padStart(8)} ×`,
)
engine.dispose()

/** The best of five rounds, in µs. */
function measure(task: () => unknown): number {
  let best = Infinity
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now()
    let runs = 0
    while (performance.now() - start < 60) for (let i = 0; i < 20; i += 1, runs += 1) task()
    best = Math.min(best, ((performance.now() - start) / runs) * 1000)
  }
  return best
}
