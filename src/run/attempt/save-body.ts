import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toText } from '../../json.ts'
import { explainBadName } from '../../text/explain-bad-name.ts'
import { createScope } from '../suite-run.ts'
import { failRequest, type StepAttempt } from './attempt.ts'
import { interpolatePart } from './interpolate-part.ts'

/** Writes a body where the step's `save` says; what hinders it fails the step. */
export async function saveBody(attempt: StepAttempt, save: string, body: Uint8Array): Promise<void> {
  const { run, step, context } = attempt
  const scope = createScope(run, context.loop)
  const part = { value: save, pointer: `${step.pointer}/save`, at: step.at }
  const { value, warnings, failures } = interpolatePart({ run, scope, ...part, use: 'left' })
  // A name with a `{{…}}` left in it is hardly the one that was meant.
  const [unfilled] = [...failures, ...warnings]
  if (unfilled) return failRequest(attempt, `The name in \`save\` is not known: ${unfilled.message}`)
  const name = toText(value)
  const problem = explainBadName(name)
  if (problem !== undefined) return failRequest(attempt, `The answer was not saved: ${problem}.`)
  const path = join(run.environment.settings.savedFolder, name)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, body)
  } catch (error) {
    failRequest(attempt, `The answer could not be saved as \`${name}\`: ${(error as Error).message}`)
  }
}
