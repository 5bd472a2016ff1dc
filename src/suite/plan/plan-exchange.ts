import { isJsonObject, type JsonObject } from '../../json.ts'
import type { ExchangeKind } from '../../path/exchange-fields.ts'
import { readMilliseconds } from '../../text/parse-duration.ts'
import type { LoadContext } from '../load-context.ts'
import type { StepInput } from '../schema/schema.ts'
import type { ValuePath } from '../source-tree.ts'
import type { StepPlan } from './plan.ts'
import { readCondition } from './plan-retry.ts'

/** What a step sends, if that decides on what its answer has. */
export function readKind(step: JsonObject): ExchangeKind | undefined {
  return isJsonObject(step['stream']) ? 'stream' : undefined
}

/** Plans what a step sends beside an ordinary request. */
export function planExchange(
  step: JsonObject,
  path: ValuePath,
  context: LoadContext,
): Pick<StepPlan, 'stream'> {
  const { stream } = step as Partial<StepInput>
  return isJsonObject(stream) ? { stream: planStream(stream, [...path, 'stream'], context) } : {}
}

function planStream(
  { until, events, within }: NonNullable<StepInput['stream']>,
  path: ValuePath,
  context: LoadContext,
): NonNullable<StepPlan['stream']> {
  return {
    at: context.locate(path),
    ...(typeof until === 'string' && { until: readCondition(until, [...path, 'until'], context) }),
    ...(events !== undefined && { events }),
    ...(within !== undefined && { within: readMilliseconds(within) }),
  }
}
