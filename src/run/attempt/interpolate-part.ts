import { InterpolationError } from '../../interpolation/errors.ts'
import { interpolate, type Unresolved } from '../../interpolation/interpolate.ts'
import type { Scope } from '../../interpolation/variables/scope.ts'
import type { Json } from '../../json.ts'
import type { Position } from '../../source.ts'
import type { SuitePlan } from '../../suite/plan/plan.ts'
import { findOpening, findOpenings } from '../../suite/reads/template-places.ts'
import { toPointer, type ValuePath } from '../../suite/source-tree.ts'
import { warnAt, type ResultWarning } from '../../errors.ts'
import type { SuiteRun } from '../suite-run.ts'
import type { StepFailure } from '../step-outcome.ts'

/** A part of the suite to fill in, and where it is. */
export type PartToFill = {
  run: SuiteRun
  scope: Scope
  value: Json
  pointer: string
  at: Position
  /** What happens to a `{{…}}` without a value, as warnings say it. Default: `sent`. */
  use?: 'sent' | 'compared' | 'left'
}

/** A filled-in part, with what could not be resolved as warnings or, if the option says so, as failures. */
export type Interpolation = { value: Json; warnings: ResultWarning[]; failures: StepFailure[] }

/** Fills in the `{{…}}` of a part of the suite; each one that stays as written is reported with its line and column. */
export function interpolatePart({ run, scope, value, pointer, at, use = 'sent' }: PartToFill): Interpolation {
  const result: Interpolation = { value, warnings: [], failures: [] }
  try {
    const filled = interpolate(value, scope)
    result.value = filled.value
    for (const unresolved of filled.unresolved) {
      const place = locateTemplate(run.plan, pointer, addText(unresolved, value)) ?? at
      const message = `${unresolved.message}.`
      if (run.environment.settings.unresolved === 'error') result.failures.push({ message, at: place })
      else result.warnings.push(warnAt(place, `${message} It is ${use} as written.`))
    }
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error
    result.failures.push({
      message: error.message,
      at: locateTemplate(run.plan, pointer, addText(error, value)) ?? at,
    })
  }
  return result
}

/** The place of a `{{…}}` with the text it is in, which tells it from the others there. */
function addText(
  { path, offset }: Pick<Unresolved, 'path' | 'offset'>,
  value: Json,
): Parameters<typeof locateTemplate>[2] {
  let text: unknown = value
  for (const segment of path) text = (text as Record<string, unknown> | undefined)?.[segment]
  return { path: [...path], offset, ...(typeof text === 'string' && { text }) }
}

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
