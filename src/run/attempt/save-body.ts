import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Scope } from '../../interpolation/variables/scope.ts'
import { toText } from '../../json.ts'
import type { StepPlan } from '../../suite/plan/plan.ts'
import { explainBadName } from '../../text/explain-bad-name.ts'
import type { StepFailure } from '../step-outcome.ts'
import type { SuiteRun } from '../suite-run.ts'
import { interpolatePart } from './interpolate-part.ts'

/** Writes a body where the step's `save` says; what hinders it fails the step. */
export async function saveBody(
  run: SuiteRun,
  step: StepPlan,
  { scope, body }: { scope: Scope; body: Uint8Array },
): Promise<StepFailure[]> {
  const part = { value: step.save ?? '', pointer: `${step.pointer}/save`, at: step.at }
  const { value, warnings, failures } = interpolatePart({ run, scope, ...part, use: 'left' })
  // A name with a `{{…}}` left in it is hardly the one that was meant.
  const [unfilled] = [...failures, ...warnings]
  const fail = (message: string): StepFailure[] => [{ kind: 'request', message, at: step.at }]
  if (unfilled) return fail(`The name in \`save\` is not known: ${unfilled.message}`)
  const name = toText(value)
  const problem = explainBadName(name)
  if (problem !== undefined) return fail(`The answer was not saved: ${problem}.`)
  const path = join(run.environment.settings.savedFolder, name)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, body)
    return []
  } catch (error) {
    return fail(`The answer could not be saved as \`${name}\`: ${(error as Error).message}`)
  }
}
