import { expect, test } from 'vitest'
import { createEngine } from '../../../src/interpolation/expressions/engine.ts'
import { beatAfterEach } from './heartbeat.ts'

test('an expression and a pattern count as a sign of life, also at their limits', async () => {
  let beats = 0
  const created = await createEngine({ timeout: 50 })
  const engine = beatAfterEach(created, () => (beats += 1))
  const names = { layers: [], exports: {} }
  const text = `${'a'.repeat(60)}!`
  expect(engine.evaluate('1 + 1', names)).toBe(2)
  expect(engine.test({ source: 'a' }, text)).toBe(true)
  expect(() => engine.evaluate('(() => { for (;;); })()', names)).toThrow('50 ms')
  expect(() => engine.test({ source: '^(a+)+$' }, text)).toThrow('50 ms')
  expect(beats).toBe(4)
  engine.dispose()
})
