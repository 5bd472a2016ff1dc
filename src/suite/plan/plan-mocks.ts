import type { Mock } from '../../mock/mock.ts'
import type { LoadContext } from '../load-context.ts'
import type { MockInput } from '../schema/schema.ts'
import { toPointer, type ValuePath } from '../source-tree.ts'

/** Mocks of a suite or step with their places; what is no list of maps was reported by the schema. */
export function planMocks(
  mocks: readonly MockInput[] | undefined,
  path: ValuePath,
  context: LoadContext,
): Mock[] {
  if (!Array.isArray(mocks)) return []
  return mocks.map((mock: MockInput, index) => {
    const place = [...path, index]
    return { ...mock, at: context.locate(place), pointer: toPointer(place) }
  })
}
