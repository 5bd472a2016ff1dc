import type { LinkedPlan, Session } from './session-interface.ts'
import { describeExports, joinExports } from './suite-exports.ts'
import type { SuiteExports, SuiteProblem } from '../../contract/suite-exports.ts'

/** A suite to run for another one, and which of its exports are wanted; without `wanted` all of its steps run. */
export type Exporter = { nodeId: string; linked: LinkedPlan; wanted?: readonly string[] | undefined }

/** Runs what gives the wanted exports of a suite, unreported, for a suite that reads them. */
export async function runExporter(
  reader: Session,
  { nodeId, linked, wanted }: Exporter,
  signal: AbortSignal | undefined,
): Promise<SuiteExports> {
  const rows: Pick<SuiteExports, 'values' | 'missing'>[] = []
  const problems: SuiteProblem[] = []
  try {
    for (const row of linked.plan.each ?? [undefined]) {
      const session = reader.openOther(linked, { prerequisites: reader.options.prerequisites, row })
      await session.runFor(wanted, signal)
      rows.push(describeExports(session))
      problems.push(...session.takeProblems().map((problem) => blame(linked, problem, reader)))
    }
  } catch (error) {
    const failure = `it could not be run: ${error instanceof Error ? error.message : String(error)}`
    problems.push({
      message: `The suite \`${nodeId}\`, which this one reads, ${failure.slice('it '.length)}`,
      at: reader.plan.at,
    })
    return { ...joinExports(rows), failure, problems }
  }
  return { ...joinExports(rows), problems }
}

/** A problem of another suite, at the suite that reads it. */
function blame({ plan }: LinkedPlan, { message, at }: SuiteProblem, reader: Session): SuiteProblem {
  return { message: `${plan.file}:${at[0]}:${at[1]}: ${message}`, at: reader.plan.at }
}
