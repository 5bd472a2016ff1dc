import { declareDefinition } from './worker/typed/declare-definition.ts'
import type { SuiteDefinition } from './worker/typed/definition.ts'
import { findCall, chooseNodeId } from './worker/typed/place/find-call.ts'

export type { Json, JsonObject } from '../src/json.ts'
export type { ResultStatus, StepResult, SuiteResult } from '../src/run/result.ts'
export type { App } from './worker/typed/app-test.ts'
export type { SuiteBuilder } from './worker/typed/build-suite.ts'
export type { StepDefinition as Step, SuiteDefinition as Suite } from './worker/typed/definition.ts'
export type { Data, DataMap, RequestValues, ResponseValues } from './worker/typed/values.ts'
export type { Register } from './worker/typed/values.ts'
export type { StandardSchema } from './worker/typed/functions/standard-schema.ts'
export { test } from './worker/typed/app-test.ts'
export { buildSuite } from './worker/typed/build-suite.ts'

/**
 * Registers a suite in a test file: the same describe block and tests as the same suite in YAML. Conditions, captures,
 * expected values and parts of requests may be functions, a body assertion a Standard Schema, a mock an MSW handler.
 * Failures point at the lines of the call. A suite with mistakes fails with a `SuiteError` that lists them all.
 */
export function defineSuite<Variables = object>(definition: SuiteDefinition<Variables>): void {
  const call = findCall(defineSuite)
  declareDefinition({ call, value: definition, nodeId: chooseNodeId(), added: [] })
}
