export type { Json, JsonObject } from './json.ts'
export type { ResultStatus, StepResult, SuiteResult } from './run/result.ts'
