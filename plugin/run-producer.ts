import { createRedactor } from '../src/secrets/redactor.ts'
import { prepareStep } from '../src/report/prepare-step.ts'
import { toSafeJson } from '../src/safe-json.ts'
import type { StepOutcome } from '../src/run/step-outcome.ts'
import { listSteps } from '../src/suite/plan.ts'
import type { Claim, Published } from './export-board.ts'
import type { LinkedPlan } from './links.ts'
import { sendMessage } from './send-message.ts'
import { describePublished } from './published.ts'
import type { Session } from './session-interface.ts'
import type { SuiteProblem } from './unreported.ts'

type Production = {
  nodeId: string
  claim: Extract<Claim, { state: 'run' }>
  signal: AbortSignal | undefined
}

/** Runs a suite, unreported, for one that reads its exports, and publishes what it gave. What failed is handed back unless the suite's own file reports it. */
export async function runProducer(
  reader: Session,
  { nodeId, claim, signal }: Production,
): Promise<{ published: Published; problems: SuiteProblem[] }> {
  const published: Published = { values: Object.create(null) }
  const problems: SuiteProblem[] = []
  try {
    const linked = (await reader.links.plans[nodeId]?.())?.default
    // Without prerequisites the selected steps run alone.
    if (linked && (claim.reported || reader.options.prerequisites !== 'none'))
      problems.push(...(await produce(reader, linked, { claim, signal, published })))
  } catch (error) {
    published.failure = `it could not be run: ${error instanceof Error ? error.message : String(error)}`
    problems.push({
      message: `The suite \`${nodeId}\`, which this one reads, ${published.failure}`,
      at: reader.plan.at,
    })
  }
  await sendMessage(reader.links.import, { kind: 'publish', nodeId, published })
  return { published, problems: claim.reported ? [] : problems }
}

type Product = { claim: Production['claim']; signal: AbortSignal | undefined; published: Published }

async function produce(
  reader: Session,
  linked: LinkedPlan,
  { claim, signal, published }: Product,
): Promise<SuiteProblem[]> {
  const problems: SuiteProblem[] = []
  for (const [index, row] of (linked.plan.each ?? [undefined]).entries()) {
    const session = reader.openOther(linked, {
      prerequisites: claim.reported ? 'all' : reader.options.prerequisites,
      ...(row && { row }),
    })
    await session.runFor(claim.wanted, signal)
    const { values, failure } = describePublished(session)
    Object.assign(published.values, values)
    if (failure !== undefined) published.failure ??= failure
    if (claim.reported) (published.outcomes ??= {})[index] = describeOutcomes(session)
    problems.push(...session.takeProblems().map((problem) => blame(linked, problem, reader)))
  }
  return problems
}

/** A problem of another suite, at the suite that reads it. */
function blame({ plan }: LinkedPlan, { message, at }: SuiteProblem, reader: Session): SuiteProblem {
  return { message: `${plan.file}:${at[0]}:${at[1]}: ${message}`, at: reader.plan.at }
}

/** Reports keep 64 KiB of a body and look at as much behind it for secrets. */
const KEPT = 128 * 1024

/** Outcomes as they can travel to the worker that reports them: bounded in depth and size. */
function describeOutcomes({ plan, records }: Session): Record<string, StepOutcome[]> {
  const redactor = createRedactor({ enabled: false })
  const travel = ({ result, failures, snapshots }: StepOutcome): StepOutcome => ({
    result: prepareStep(result, { redactor, maxBytes: KEPT }),
    failures: toSafeJson(failures, KEPT) as unknown as StepOutcome['failures'],
    ...(snapshots && { snapshots: toSafeJson(snapshots) as unknown as NonNullable<typeof snapshots> }),
  })
  return Object.fromEntries(
    listSteps(plan)
      .filter((step) => records.has(step))
      .map((step) => [step.id, records.outcomes(step).map(travel)]),
  )
}
