import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type EchoServer } from '../../server/index.ts'
import { runText } from './fixtures/run-text.ts'

let echo: EchoServer
beforeAll(async () => void (echo = await startServer()))
afterAll(() => echo.close())

const names = ['A', 'B', 'C', 'D', 'E', 'F']

test.for([
  ['skip-dependents', 'A', 'BCD', 'the set-up step “A” (line 5) failed'],
  ['stop', 'A', 'BCD', 'the suite stopped after “A” (line 5) failed'],
  ['continue', 'A', '', ''],
  ['skip-dependents', 'C', '', ''],
  ['stop', 'C', 'D', 'the suite stopped after “C” (line 8) failed'],
  ['stop', 'E', '', ''],
] as const)(
  'with `on_failure: %s`, the failure of %s skips these steps: %s',
  async ([onFailure, bad, skipped, reason]) => {
    const [a, b, c, d, e, f] = names.map((name) => {
      const status = name === bad ? 500 : 200
      return `  - { name: ${name}, request: { url: /get }, assert: { status_code: ${status} } }\n`
    })
    const top = `suite_name: S\nbase_url: '${echo.url}'\non_failure: ${onFailure}\n`
    const { outcomes } = await runText(`${top}setup:\n${a}${b}steps:\n${c}${d}teardown:\n${e}${f}`)
    const told = Object.values(outcomes).map(({ result }) => [
      result.step_name,
      result.skip_reason ?? result.status,
    ])
    const expected = names.map((name) => [
      name,
      name === bad ? 'failure' : skipped.includes(name) ? reason : 'success',
    ])
    expect(told).toEqual(expected)
  },
)
