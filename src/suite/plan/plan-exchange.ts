import { isJsonObject, type JsonObject } from '../../json.ts'
import type { ExchangeKind } from '../../path/exchange-fields.ts'
import { readMilliseconds } from '../../text/units.ts'
import type { LoadContext } from '../load-context.ts'
import { MOST_AT_ONCE } from '../schema/schema-exchange.ts'
import type { StepInput } from '../schema/schema.ts'
import type { ValuePath } from '../source-tree.ts'
import type { StepPlan } from './plan.ts'
import { readCondition } from './plan-retry.ts'

/** What a step sends, if that decides on what its answer has. */
export function readKind(step: JsonObject): ExchangeKind | undefined {
  const kinds: readonly ExchangeKind[] = ['websocket', 'stream', 'burst']
  return kinds.find((kind) => isJsonObject(step[kind]))
}

/** Plans what a step sends beside, or in the place of, an ordinary request. */
export function planExchange(
  { stream, burst }: Partial<StepInput>,
  path: ValuePath,
  context: LoadContext,
): Pick<StepPlan, 'stream' | 'burst'> {
  return {
    ...(stream && { stream: planStream(stream, [...path, 'stream'], context) }),
    ...(burst && { burst: planBurst(burst, [...path, 'burst'], context) }),
  }
}

function planBurst(
  { times, concurrent = Math.min(times, MOST_AT_ONCE) }: NonNullable<StepInput['burst']>,
  path: ValuePath,
  context: LoadContext,
): NonNullable<StepPlan['burst']> {
  if (concurrent > times)
    context.report([...path, 'concurrent'], {
      message: `\`concurrent\` is ${concurrent}, but only ${times} requests are sent.`,
      hint: 'Raise `times`, or leave `concurrent` out: then all are sent at once.',
    })
  return { times, concurrent }
}

function planStream(
  { until, events, within }: NonNullable<StepInput['stream']>,
  path: ValuePath,
  context: LoadContext,
): NonNullable<StepPlan['stream']> {
  return {
    at: context.locate(path),
    ...(until !== undefined && { until: readCondition(until, [...path, 'until'], context) }),
    events,
    within: readMilliseconds(within),
  }
}
