import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { unseal } from '../../contract/seal.ts'
import { hideLate } from './hide-late.ts'
import { secretsOf } from './run-secrets.ts'

/** Keeps the secrets that suites hand over sealed in their metas, and hides them in all that other reporters, which come after it, show of the run. */
export function keepSecrets(vitest: Vitest): Reporter {
  const keep = (module: TestModule): void => {
    const { key, values } = secretsOf(vitest)
    for (const sealed of takeSealed(module))
      // Those of other runs, whose reports are merged, have another key: what they are in is redacted.
      if (vitest.config.mergeReports === undefined)
        for (const secret of JSON.parse(unseal(sealed, key)) as string[]) values.add(secret)
  }
  return {
    onTestModuleEnd: keep,
    onTestRunEnd(modules) {
      // Those that a run left unfinished.
      modules.forEach(keep)
      const { values } = secretsOf(vitest)
      if (values.size > 0) hideLate(modules, values)
    },
  }
}

function takeSealed(module: TestModule): string[] {
  return [...module.children.allSuites()].flatMap((suite) => {
    const { suitecase } = suite.meta()
    if (suitecase?.kind !== 'suite' || suitecase.secrets === undefined) return []
    const { secrets } = suitecase
    delete suitecase.secrets
    return [secrets]
  })
}
