import type { Reporter, Vitest } from 'vitest/node'
import type { Json } from '../../../src/json.ts'
import { createNameRedactor } from '../../../src/secrets/suite-redactor.ts'
import { listSteps } from '../../../src/suite/plan/plan.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import type { SuiteFiles } from '../suites/suite-files.ts'
import { secretsOf } from './run-secrets.ts'

/** A part of a run, and the merging of such parts, hides also what the plans of suites name that run elsewhere. */
export function learnPlans(
  vitest: Vitest,
  { files, redact }: { files: Pick<SuiteFiles, 'index' | 'load'>; redact: ResolvedOptions['redact'] },
): Reporter {
  return {
    async onTestRunStart() {
      if (redact === false || (vitest.config.mergeReports === undefined && !vitest.config.shard)) return
      const { values } = secretsOf(vitest)
      for (const path of (await files.index()).keys()) {
        // What cannot be loaded says so where it runs.
        const loaded = await files.load(path).catch(() => undefined)
        if (!loaded) continue
        const redactor = createNameRedactor(loaded.plan, redact)
        for (const { request } of listSteps(loaded.plan)) redactor.learn((request ?? {}) as Json)
        for (const secret of redactor.secrets()) values.add(secret)
      }
    },
  }
}
