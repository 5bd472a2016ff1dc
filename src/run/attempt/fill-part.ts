import { toPointer } from '../../path/field-path.ts'
import { InterpolationError } from '../../interpolation/errors.ts'
import { interpolate, type Unresolved } from '../../interpolation/interpolate.ts'
import type { Json } from '../../json.ts'
import type { Position } from '../../source.ts'
import type { SuitePlan } from '../../suite/plan/plan.ts'
import { findOpening, findOpenings } from '../../suite/reads/template-places.ts'
import { warn, type StepAttempt } from './attempt.ts'

/** What filling in needs, and where it records each `{{…}}` without a value. */
export type Filling = Pick<StepAttempt, 'run' | 'scope' | 'failures' | 'warnings'>

/** The place of a part. In one that `isNeeded`, every `{{…}}` must have a value. */
type PartPlace = { pointer: string; at: Position; isNeeded?: boolean }

/** Fills in the `{{…}}` of a part of the suite. One without a value stays as written, and is a warning or, with `unresolved: error`, a failure at its line and column. */
export function fillPart(filling: Filling, value: Json, { pointer, at, isNeeded }: PartPlace): Json {
  const { run, scope, failures } = filling
  const locate = (place: TemplatePlace): Position =>
    locateTemplate(run.plan, pointer, { ...place, value }) ?? at
  try {
    const filled = interpolate(value, scope)
    for (const unresolved of filled.unresolved) {
      const message = `${unresolved.message}.`
      if (isNeeded) failures.push({ message, at: locate(unresolved) })
      else noteUnfilled(filling, locate(unresolved), { message, outcome: ' It stays as written.' })
    }
    return filled.value
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error
    failures.push({ message: error.message, at: locate(error) })
    return value
  }
}

/** Records a `{{…}}` without a value: a failure with `unresolved: error`, else a warning, which goes on with `outcome`. */
export function noteUnfilled(
  filling: Omit<Filling, 'scope'>,
  at: Position,
  { message, outcome = '' }: { message: string; outcome?: string },
): void {
  if (filling.run.environment.settings.unresolved === 'error') filling.failures.push({ message, at })
  else warn(filling, at, `${message}${outcome}`)
}

type TemplatePlace = Pick<Unresolved, 'path' | 'offset'>

/** The position of a `{{…}}` in the suite file. `pointer` is that of the filled in value, whose text tells which of several it is. @default the first in the value itself */
export function locateTemplate(
  { templates }: SuitePlan,
  pointer: string,
  { path, offset, value }: TemplatePlace & { value?: Json } = { path: [], offset: 0 },
): Position | undefined {
  let text: unknown = value
  for (const segment of path) text = (text as Record<string, unknown> | undefined)?.[segment]
  const positions = templates[`${pointer}${toPointer([...path])}`]
  const index = typeof text === 'string' ? findOpening(findOpenings(text), offset) : 0
  return positions?.[index] ?? positions?.[0]
}
