import type { RunnerTask } from 'vitest'
import { experimental_getRunnerTask, type Reporter, type TestModule, type Vitest } from 'vitest/node'
import { unseal } from '../../contract/seal.ts'
import { createModuleRedactor, listMetas } from '../report/read-test-module.ts'
import { addSecrets, secretsOf } from './run-secrets.ts'
import { parseJson, stringifyJson, type Json } from '../../../src/json.ts'
import { readStep, recordStep, type StepRecord } from '../../../src/report/step-record.ts'
import { isSafeJson } from '../../../src/safe-json.ts'
import { createLeakFinder } from '../../../src/secrets/find-leaks.ts'
import { createRedactor } from '../../../src/secrets/redactor.ts'
import type { SuiteMeta } from '../../contract/meta.ts'
import type { Secret, SecretSearch } from '../../../src/secrets/secret-search.ts'
import { createNameRedactor } from '../../../src/secrets/suite-redactor.ts'
import { listSteps } from '../../../src/suite/plan/plan.ts'
import type { ResolvedOptions } from '../../contract/options.ts'
import type { SuiteFiles } from '../suites/suite-files.ts'

/** A reporter that takes the sealed secrets out of metas, and hides them in all that later reporters show. */
export function keepSecrets(vitest: Vitest): Reporter {
  const keep = (module: TestModule): void => {
    const { key } = secretsOf(vitest)
    for (const meta of listMetas(module)) {
      // Secrets of merged runs are sealed with another key, but what contains them is already redacted.
      if (meta.secrets !== undefined && vitest.config.mergeReports === undefined)
        addSecrets(vitest, JSON.parse(unseal(meta.secrets, key)) as Secret[])
      delete meta.secrets
    }
  }
  return {
    onTestModuleEnd: keep,
    onTestRunEnd(modules, errors) {
      // Some modules may not have ended.
      modules.forEach(keep)
      // A suite that cannot be loaded has no plan, but what it names as secret may be in the errors of others.
      for (const module of modules)
        if (/\.ya?ml$/.test(module.moduleId) && module.errors().length > 0)
          addSecrets(vitest, createModuleRedactor(module).known.values())
      const { search } = secretsOf(vitest)
      if (search.known.size > 0) hideLate(modules, errors, search)
    },
  }
}

/** Hides secrets in unhandled errors, and in tests that had ended before the secrets were known. */
function hideLate(modules: readonly TestModule[], errors: readonly object[], search: SecretSearch): void {
  const seen = new Set<object>()
  const finder = createLeakFinder(search)
  const { redactText } = createRedactor({ search })
  const hide = <Value>(value: Value): Value => finder.replaceInJson(value as Json, redactText) as Value

  function hideInMeta({ steps, variables, ...meta }: SuiteMeta): SuiteMeta {
    return {
      ...hide(meta),
      ...(steps && { steps: steps.map((records) => records.map(hideInRecord)) }),
      ...(variables !== undefined && { variables: hideInText(variables) }),
    }
  }

  /** A record that was already written has no text, but the rest of it can still be shown. */
  function hideInRecord(record: StepRecord): StepRecord {
    const { text, ...told } = record
    if (text !== '') return finder.isIn(text) ? recordStep(hide(readStep(record))) : record
    return finder.isIn(JSON.stringify(told)) ? { ...hide(told), text } : record
  }

  function hideInText(text: string): string {
    return finder.isIn(text) ? stringifyJson(hide(parseJson(text))) : text
  }

  /** Rewrites an object in place: an error may lead to what is no JSON, such as a socket, or to itself. */
  function hideInMembers(holder: object): void {
    if (seen.has(holder) || ArrayBuffer.isView(holder)) return
    seen.add(holder)
    // These members of an `Error` are not enumerable.
    const hidden = holder instanceof Error ? ['message', 'stack', 'cause'] : []
    for (const name of [...hidden, ...Object.keys(holder)]) {
      const value: unknown = Reflect.get(holder, name)
      // Does nothing where a member cannot be set.
      if (isSafeJson(value)) Reflect.set(holder, name, hide(value))
      else if (typeof value === 'object' && value !== null) hideInMembers(value)
    }
  }

  function hideInTask(task: RunnerTask): void {
    const { result, meta, logs = [] } = task
    for (const log of logs) log.content = hide(log.content)
    if (task.type === 'test') [...task.annotations, ...task.artifacts].forEach(hideInMembers)
    // Why a test was skipped; internal to Vitest.
    const { note } = (result ?? {}) as { note?: string }
    if (result && note !== undefined) Object.assign(result, { note: hide(note) })
    for (const attempt of [result, ...(result?.attempts ?? [])]) attempt?.errors?.forEach(hideInMembers)
    const { suitecase } = meta
    if (suitecase) meta.suitecase = suitecase.kind === 'suite' ? hideInMeta(suitecase) : hide(suitecase)
  }

  errors.forEach(hideInMembers)
  for (const module of modules)
    for (const task of [module, ...module.children.allSuites(), ...module.children.allTests()])
      hideInTask(experimental_getRunnerTask(task))
}

/** A reporter for shards and merged runs: learns the secrets in the plans of suites that run elsewhere. */
export function learnPlans(vitest: Vitest, files: SuiteFiles, redact: ResolvedOptions['redact']): Reporter {
  return {
    async onTestRunStart() {
      if (redact === false || (vitest.config.mergeReports === undefined && !vitest.config.shard)) return
      for (const plan of await files.listPlans()) {
        const redactor = createNameRedactor(plan, redact)
        for (const { request } of listSteps(plan)) redactor.learn((request ?? {}) as Json)
        addSecrets(vitest, redactor.known.values())
      }
    },
  }
}
