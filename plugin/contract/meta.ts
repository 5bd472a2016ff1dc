import type { JsonObject } from '../../src/json.ts'
import type { StepRecord } from '../../src/report/step-record.ts'
import type { StepResult, SuiteResult } from '../../src/run/result.ts'

/** Meta of the test of a step. */
export type StepMeta = Pick<StepResult, 'step_id' | 'step_name'> & { kind: 'step' }

/**
 * Meta of the describe block of a suite, updated when it ends. The suite's text (`suite_yaml_content`) is redacted. If
 * it is missing, the reporter reads the file and redacts it by names.
 */
export type SuiteMeta = Pick<
  SuiteResult,
  'node_id' | 'suite_name' | 'file_path' | 'priority' | 'start_time'
> &
  Partial<Pick<SuiteResult, 'suite_yaml_content' | 'warnings' | 'seed' | 'error_message'>> & {
    kind: 'suite'
    tags: string[]
    /** `SuiteVariables` as JSON text: not every reporter can write integers beyond the range of a double. */
    variables?: string
    /** Results of the steps by test, one or one per iteration each. Redacted in the worker. */
    steps?: StepRecord[][]
    /** 0-based row of the suite's `each`. */
    row?: number
    /** Secrets that no output may contain, each with its name, sealed with the run's key. `keepSecrets` removes them in the main process. */
    secrets?: string
  }

/** The variables of a suite, redacted. */
export type SuiteVariables = { variables_captured: JsonObject; available_variables: JsonObject }

// The only contract between worker and reporter: everything in the reports travels here, across shards too.
declare module 'vitest' {
  interface TaskMeta {
    suitecase?: StepMeta | SuiteMeta
  }
}
