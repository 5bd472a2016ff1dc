import { declareDefinition } from './worker/typed/declare-definition.ts'
import type { SuiteDefinition, StepDefinition, SuiteHead } from './worker/typed/definition.ts'
import { findCall } from './worker/typed/place-definition.ts'
import { Definition } from './worker/typed/load-definition.ts'
import type { Json } from '../src/json.ts'

export type { Json, JsonObject } from '../src/json.ts'
export type { ResultStatus, StepResult, SuiteResult } from '../src/run/result.ts'
export type { StepDefinition as Step, SuiteDefinition as Suite } from './worker/typed/definition.ts'
export type { Data, DataMap, Register, RequestValues, ResponseValues } from './worker/typed/values.ts'
export type { StandardSchema } from './worker/typed/functions/standard-schema.ts'

/**
 * Registers a suite with the tests that it would have in YAML. Conditions, captures, expected values and parts of
 * requests may be functions, a body assertion a Standard Schema, and a mock an MSW handler.
 */
export function defineSuite<Variables = object>(definition: SuiteDefinition<Variables>): void {
  declareDefinition(new Definition(findCall(defineSuite), definition))
}

/** A suite that is built step by step. */
export type SuiteBuilder<Variables> = {
  /** Adds a step. Its type knows what earlier steps captured. Throws when the tests of the file are already declared. */
  // oxlint-disable-next-line typescript/no-explicit-any -- without a schema the body has any shape
  step<Captured = object, Body = any>(
    step: StepDefinition<Variables, Captured, Body>,
  ): SuiteBuilder<Join<Variables, JsonOf<Captured>>>
}

/** Adds types of captures. An intersection if possible, since TypeScript gives up on fifty nested `Omit`s. */
type Join<Known, Added> = {
  [Name in keyof Known & keyof Added]: [Known[Name], Added[Name]]
} extends { [Name in keyof Known & keyof Added]: [Added[Name], Known[Name]] }
  ? Known & Added
  : Omit<Known, keyof Added> & Added

/** Types of captures: the result of a function keeps its type, and what a path finds is any JSON. */
type JsonOf<Captured> = {
  [Name in keyof Captured]: unknown extends Captured[Name] ? Json | undefined : Awaited<Captured[Name]>
}

/**
 * Registers a suite like `defineSuite`, but with steps added by `.step(…)`, so that TypeScript knows in each step what
 * earlier ones captured, and the shape of a body that a Standard Schema describes.
 */
export function buildSuite<Variables = object>(head: SuiteHead<Variables>): SuiteBuilder<Variables> {
  const definition = new Definition(findCall(buildSuite), head)
  declareDefinition(definition)
  const builder: SuiteBuilder<never> = { step }
  function step(written: unknown): SuiteBuilder<never> {
    definition.addStep(findCall(step), written)
    return builder
  }
  return builder
}
