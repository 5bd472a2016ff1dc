import type { Position } from '../source.ts'
import { countOpenings } from '../suite/collect-templates.ts'
import type { SuitePlan } from '../suite/plan.ts'
import { toPointer, type ValuePath } from '../suite/source-tree.ts'

/** Where in the suite file a `{{…}}` stands: `pointer` is that of the interpolated value, the rest says where in it. */
export function locateTemplate(
  plan: SuitePlan,
  pointer: string,
  place: { path: ValuePath; offset: number; text?: string },
): Position | undefined {
  const positions = plan.templates[`${pointer}${toPointer(place.path)}`]
  return positions?.[place.text === undefined ? 0 : countOpenings(place.text, place.offset)] ?? positions?.[0]
}
