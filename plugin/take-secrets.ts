import type { TestModule } from 'vitest/node'
import { unseal } from './messages.ts'

/** Takes the sealed secrets out of the metas of a module's suites, before other reporters write these down, and opens them; without a key, as for reports of other runs, they are only taken out. */
export function takeSecrets(module: TestModule, key: string | undefined): string[] {
  const found: string[] = []
  for (const suite of module.children.allSuites()) {
    const { suitecase } = suite.meta()
    if (suitecase?.kind !== 'suite' || suitecase.secrets === undefined) continue
    if (key !== undefined) found.push(...(JSON.parse(unseal(suitecase.secrets, key)) as string[]))
    delete suitecase.secrets
  }
  return found
}
