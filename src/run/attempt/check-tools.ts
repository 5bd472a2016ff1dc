import { resolve } from 'node:path'
import type { CheckTools, ResponseContext } from '../../assertion/check-context.ts'
import { loadSchemas } from '../../assertion/json-schema/load-schemas.ts'
import { interpolate } from '../../interpolation/interpolate.ts'
import { mergeVariables } from '../../interpolation/variables/scope.ts'
import type { JsonObject } from '../../json.ts'
import { readRegularFile } from '../../read-file.ts'
import { defaultLimits } from '../../request/exchange.ts'
import { listParts } from '../../suite/plan/plan.ts'
import type { StepAttempt } from './attempt.ts'
import { listLocals } from './describe-exchange.ts'
import { judgeCondition } from './judge-condition.ts'

/** What checks, captures and scenarios of a step need from the run; `variables` lists what they can see. */
export type AttemptTools = CheckTools & { variables(): JsonObject; pathLimit: number | undefined }

/** Makes the tools for one response. */
export async function createCheckTools(
  { run, step, scope: outer }: StepAttempt,
  response: ResponseContext,
): Promise<AttemptTools> {
  const scope = { ...outer, locals: listLocals(response) }
  const { engine, settings } = run.environment
  const limit = { limit: settings.fileLimit ?? defaultLimits.body, option: 'limits.body' }
  const schemas = await loadSchemas(
    listParts(step).flatMap(({ checks }) => checks),
    async (name) => (await readRegularFile(resolve(run.plan.folder, name), limit)).toString(),
  )
  return {
    interpolate(value) {
      const filled = interpolate(value, scope)
      const [unresolved] = filled.unresolved
      if (unresolved) throw new Error(unresolved.message)
      return filled.value
    },
    condition: (source) => judgeCondition(engine, source, scope),
    test: (pattern, subject) => engine.test(pattern, subject),
    variables: () => mergeVariables(scope),
    ...run.plan.rules,
    pathLimit: settings.pathLimit,
    eachLimit: settings.eachLimit,
    schemas,
  }
}
