import type { Json } from '../../json.ts'
import { PASSED, type Operator, type Verdict } from './operator.ts'

const MAX_SHOWN = 10
const DEFAULT_LIMIT = 10_000
const CLOCK_EVERY = 256

/** Makes its nested checks on every element; an empty array passes (put `notEmpty: true` beside it to refuse that). */
export const eachOperator: Operator = {
  refuse: () => undefined,
  takes: ['array'],
  nested: true,
  resolve: (operand) => operand,
  judge(actual, _operand, { field, checks, judgeNested, tools }) {
    const failures: Extract<Verdict, { passed: false }>[] = []
    const limit = tools.eachLimit ?? DEFAULT_LIMIT
    const deadline = performance.now() + limit
    let failed = 0
    for (const [index, element] of (actual as Json[]).entries()) {
      if (index % CLOCK_EVERY === 0 && performance.now() > deadline) return tooSlow({ field, index, limit })
      const before = failures.length
      let elementFailed = false
      for (const check of checks) {
        const verdict = judgeNested(check, element, `${field}[${index}]`)
        if (verdict.passed) continue
        elementFailed = true
        if (before < MAX_SHOWN) failures.push(verdict)
      }
      if (elementFailed) failed += 1
    }
    return failed === 0
      ? PASSED
      : describeFailures({ field, failures, failed, total: (actual as Json[]).length })
  },
}

function describeFailures(input: {
  field: string
  failures: Extract<Verdict, { passed: false }>[]
  failed: number
  total: number
}): Verdict {
  const { field, failures, failed, total } = input
  const lines = failures.slice(0, MAX_SHOWN).map(({ message }) => `  ${message.replaceAll('\n', '\n  ')}`)
  if (failed > lines.length) lines.push('  …')
  const at = failures[0]?.at
  return {
    passed: false,
    message: `Expected every element of \`${field}\` to pass; ${failed} of ${total} did not:\n${lines.join('\n')}`,
    ...(at && { at }),
  }
}

function tooSlow({ field, index, limit }: { field: string; index: number; limit: number }): Verdict {
  return {
    passed: false,
    message: `The \`each\` check of \`${field}\` took longer than ${limit} ms (option \`limits.each\`): ${index} elements were judged by then. Check fewer elements, use cheaper checks or raise the option`,
  }
}
