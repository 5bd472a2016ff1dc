import type { Recommendation, RequestSummary, SlowRequest } from './performance-report.ts'
import { formatMs } from './format-ms.ts'

const slow = 2000
const slowAverage = 1000
const acceptable = 500

/** Says what to look at: requests over 2 s, an average over 1 s; or that all requests are acceptable (within 500 ms). Never both. */
export function recommend(
  times: readonly number[],
  summary: RequestSummary,
  slowest?: SlowRequest,
): Recommendation[] {
  const recommendations: Recommendation[] = []
  const over = times.filter((time) => time > slow).length
  if (over > 0 && slowest) {
    const who = `\`${slowest.step_name}\` (${slowest.method} ${slowest.path}) with ${formatMs(slowest.duration_ms)}`
    const what = over === 1 ? '1 request took' : `${over} requests took`
    recommendations.push({ level: 'warning', message: `${what} longer than 2 s; the slowest is ${who}.` })
  }
  if ((summary.average_ms ?? 0) > slowAverage) {
    const average = formatMs(summary.average_ms as number)
    recommendations.push({
      level: 'warning',
      message: `The average request takes ${average}, longer than 1 s.`,
    })
  }
  if (recommendations.length === 0 && times.length > 0 && times.every((time) => time <= acceptable)) {
    recommendations.push({
      level: 'acceptable',
      message: 'Performance is acceptable: all requests took at most 500 ms.',
    })
  }
  return recommendations
}
