import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import type { SuiteResult } from '../run/result.ts'
import { makeExchanges } from './fixtures/make-exchanges.ts'
import { makeRun } from './fixtures/make-run.ts'
import { figuresOf, makeSuite } from './fixtures/make-results.ts'
import { computePerformance } from './performance/compute-performance.ts'
import performanceSchema from './schema/performance.schema.json' with { type: 'json' }
import suiteSchema from './schema/suite-result.schema.json' with { type: 'json' }

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ajv = new Ajv({ allErrors: true, formats: { 'date-time': isoTime } })

const isSuite = ajv.compile<SuiteResult>(suiteSchema)
const isReport = ajv.compile(performanceSchema)

test('suite results of every outcome are valid', () => {
  for (const suite of [...makeRun(), makeExchanges()])
    expect([isSuite(suite), isSuite.errors]).toEqual([true, null])
})

test('a performance report with thresholds, baseline and errors is valid, and so is that of an empty run', () => {
  const figures = makeRun().map(figuresOf)
  const options = {
    thresholds: { p95: 1 },
    errors: ['late'],
    baseline: computePerformance(figures.slice(0, 2)),
  }
  for (const report of [computePerformance(figures, options), computePerformance([])]) {
    expect([isReport(report), isReport.errors]).toEqual([true, null])
  }
})

test('fields that the schema does not know, or lacks, are refused', () => {
  expect(isSuite({ ...makeSuite([]), extra: 1 })).toBe(false)
  const { node_id: _missing, ...rest } = makeSuite([])
  expect(isSuite(rest)).toBe(false)
  expect(isReport({ ...computePerformance([]), version: 2 })).toBe(false)
})
