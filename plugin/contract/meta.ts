import type { JsonObject } from '../../src/json.ts'
import type { ResultWarning } from '../../src/errors.ts'
import type { StepRecord } from '../../src/report/step-record.ts'

/** Carried by the test of a step that never started; its note says why. */
export type StepMeta = { kind: 'step' }

/** Carried by the describe block of a suite; brought up to date when it ends. */
export type SuiteMeta = {
  kind: 'suite'
  node_id: string
  suite_name: string
  /** Relative to the root, with forward slashes. */
  file_path: string
  priority: string
  tags: string[]
  /** UTC, ISO 8601. */
  start_time: string
  /** `SuiteVariables` as JSON text: not every reporter can write integers that a double cannot hold. */
  variables?: string
  /** Redacted text of the suite; when it is absent the reporter reads the file and redacts it by names. */
  suite_yaml_content?: string
  /** Results of the steps by test, each a list of one, or one per iteration; redacted in the worker. */
  steps?: StepRecord[][]
  warnings?: ResultWarning[]
  seed?: number
  /** 0-based row of the suite's `each`. */
  row?: number
  /** Secrets that no output may contain, sealed with the run's key; taken out where a run ends (`keepSecrets`). */
  secrets?: string
  /** Why the suite as a whole failed. */
  error_message?: string
}

/** The variables of a suite, redacted. */
export type SuiteVariables = { variables_captured: JsonObject; available_variables: JsonObject }

// The one contract between worker and reporter: whatever is in the reports went through here, also across shards.
declare module 'vitest' {
  interface TaskMeta {
    suitecase?: StepMeta | SuiteMeta
  }
}
