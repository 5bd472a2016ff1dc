import type { Mock } from '../../mock/mock.ts'
import { readMilliseconds } from '../../text/units.ts'
import type { LoadContext } from '../load-context.ts'
import type { MockInput } from '../schema/schema.ts'
import { toPointer, type ValuePath } from '../source-tree.ts'

/** Mocks of a suite or step with their places. */
export function planMocks(
  mocks: readonly MockInput[] | undefined,
  path: ValuePath,
  context: LoadContext,
): Mock[] {
  return (mocks ?? []).map((mock, index) => {
    const place = [...path, index]
    const { respond } = mock
    const delay = readMilliseconds(respond?.delay_ms)
    const answer = respond && { ...respond, ...(delay !== undefined && { delay_ms: delay }) }
    const where = { at: context.locate(place), pointer: toPointer(place) }
    return Object.assign({}, mock, answer && { respond: answer }, where) as Mock
  })
}
