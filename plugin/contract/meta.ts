import type { JsonObject } from '../../src/json.ts'
import type { StepRecord } from '../../src/report/step-record.ts'
import type { StepResult, SuiteResult } from '../../src/run/result.ts'

/** The meta of a step's test. */
export type StepMeta = Pick<StepResult, 'step_id' | 'step_name'> & { kind: 'step' }

/** The meta of a suite's describe block, updated when the block ends. Without `suite_yaml_content` the reporter reads the file. */
export type SuiteMeta = Pick<
  SuiteResult,
  'node_id' | 'suite_name' | 'file_path' | 'priority' | 'start_time'
> &
  Partial<Pick<SuiteResult, 'suite_yaml_content' | 'warnings' | 'seed' | 'error_message'>> & {
    kind: 'suite'
    tags: string[]
    /** `SuiteVariables` as JSON text: not every reporter can write integers beyond the range of a double. */
    variables?: string
    /** The redacted results by test: one for each test, or one for each iteration that the test runs. */
    steps?: StepRecord[][]
    /** 0-based row of the suite's `each`. */
    row?: number
    /** Pairs of secret and name, as JSON sealed with the run's key. `keepSecrets` opens and removes them. */
    secrets?: string
  }

/** The variables of a suite, redacted. */
export type SuiteVariables = { variables_captured: JsonObject; available_variables: JsonObject }

// All data of the reports reaches the reporter through these metas, also from other shards.
declare module 'vitest' {
  interface TaskMeta {
    suitecase?: StepMeta | SuiteMeta
  }
}
