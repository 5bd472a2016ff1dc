import type { Position } from '../../source.ts'
import type { SuitePlan } from '../../suite/plan/plan.ts'
import { toPointer, type ValuePath } from '../../suite/source-tree.ts'
import { findOpening, findOpenings } from '../../suite/reads/template-places.ts'

/** Where in the suite file a `{{…}}` stands: `pointer` is that of the interpolated value, the rest says where in it. */
export function locateTemplate(
  plan: SuitePlan,
  pointer: string,
  place: { path: ValuePath; offset: number; text?: string },
): Position | undefined {
  const positions = plan.templates[`${pointer}${toPointer(place.path)}`]
  const index = place.text === undefined ? 0 : findOpening(findOpenings(place.text), place.offset)
  return positions?.[index] ?? positions?.[0]
}
