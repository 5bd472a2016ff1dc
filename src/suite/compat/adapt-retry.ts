import { isJsonObject, type Json } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import type { SourceNode } from '../source-tree.ts'
import { ignore, put, take, type Part } from './part.ts'

/** `delay_ms` is the base delay, `retry_on` a list of statuses; the wait is fixed unless it says otherwise. */
export function adaptRetry(retry: Part, node: SourceNode, context: LoadContext): void {
  const delay = take(retry, 'delay_ms')
  if (delay) put(retry, 'base_delay_ms', delay)
  const backoff = retry.get('backoff')?.value
  if (backoff !== 'fixed' && backoff !== 'exponential')
    ignore(retry, ['backoff'], { context, reason: 'the wait is fixed or exponential' })
  put(retry, 'backoff', { value: 'fixed', node })
  const on = take(retry, 'retry_on')
  const statuses = Array.isArray(on?.value) ? on.value.map(readStatus).filter(Number.isInteger) : []
  if (on && statuses.length > 0) put(retry, 'on', { value: statuses, node: on.node })
}

function readStatus(entry: Json): number {
  const status = isJsonObject(entry) ? entry['status_code'] : entry
  return typeof status === 'number' ? status : Number.NaN
}
