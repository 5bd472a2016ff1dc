import { expect, test } from 'vitest'
import { createEngine } from '../interpolation/expressions/engine.ts'
import { createClient } from '../request/send-request.ts'
import { loadSuite } from '../suite/load-suite.ts'
import type { StepPlan } from '../suite/plan/plan.ts'
import type { RunEnvironment } from './environment.ts'
import { runStep } from './run-step.ts'
import { startSuiteRun } from './suite-run.ts'
import { defaultLimits } from '../limits.ts'

const text = `
suite_name: Inputs
variables: { domain: example.org }
steps:
  - name: Ask
    input:
      - { prompt: Name?, variable: user, ci_default: ada }
      - { prompt: Mail?, variable: mail, default: '{{user}}@{{domain}}' }
      - { prompt: Other?, variable: other }
    capture: { copy: mail }
`

async function createEnvironment(): Promise<RunEnvironment> {
  return {
    engine: createEngine({}),
    client: createClient({}),
    env: {},
    settings: {
      variables: {},
      timeout: 1000,
      followRedirects: true,
      onFailure: 'skip-dependents',
      unresolved: 'literal',
      savedFolder: '',
      limits: { ...defaultLimits, interpolation: 1000 },
    },
  }
}

test('what a step would ask for is a variable of the suite, and the step is skipped', async () => {
  const plan = await loadSuite({ path: 'a.yaml', text }, { folder: import.meta.dirname, compat: true })
  const run = startSuiteRun(plan, await createEnvironment())
  expect(run.variables).toEqual({
    ...{ domain: 'example.org', user: 'ada', mail: 'ada@example.org', other: null, copy: 'ada@example.org' },
  })
  const asked = await runStep(run, plan.steps[0] as StepPlan)
  expect(asked.result.status).toBe('skipped')
})
