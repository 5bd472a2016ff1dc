import type { JsonObject } from '../../src/json.ts'
import type { StepRecord } from '../../src/report/step-record.ts'
import type { SuiteResult } from '../../src/run/result.ts'

/** Carried by the test of a step that never started; its note says why. */
export type StepMeta = { kind: 'step' }

/**
 * Carried by the describe block of a suite; brought up to date when it ends. Its text (`suite_yaml_content`) is redacted; where it
 * is absent the reporter reads the file and redacts it by names.
 */
export type SuiteMeta = Pick<
  SuiteResult,
  'node_id' | 'suite_name' | 'file_path' | 'priority' | 'start_time'
> &
  Partial<Pick<SuiteResult, 'suite_yaml_content' | 'warnings' | 'seed' | 'error_message'>> & {
    kind: 'suite'
    tags: string[]
    /** `SuiteVariables` as JSON text: not every reporter can write integers that a double cannot hold. */
    variables?: string
    /** Results of the steps by test, each a list of one, or one per iteration; redacted in the worker. */
    steps?: StepRecord[][]
    /** 0-based row of the suite's `each`. */
    row?: number
    /** Secrets that no output may contain, sealed with the run's key; taken out where a run ends (`keepSecrets`). */
    secrets?: string
  }

/** The variables of a suite, redacted. */
export type SuiteVariables = { variables_captured: JsonObject; available_variables: JsonObject }

// The one contract between worker and reporter: whatever is in the reports went through here, also across shards.
declare module 'vitest' {
  interface TaskMeta {
    suitecase?: StepMeta | SuiteMeta
  }
}
