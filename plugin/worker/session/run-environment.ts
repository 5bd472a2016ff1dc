import { resolve } from 'node:path'
import { createEngine } from '../../../src/interpolation/expressions/engine.ts'
import { loadFaker, type FakerSource } from '../../../src/interpolation/faker.ts'
import { createClient } from '../../../src/request/send-request.ts'
import type { RunEnvironment } from '../../../src/run/environment.ts'
import { readRetry } from '../../../src/suite/plan/plan-retry.ts'
import { readEnvVariables } from '../../contract/worker-options.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { currentHooks } from '../extension/load-extension.ts'
import { createFunctionEngine } from '../typed/functions/call-function.ts'
import { watchLoop } from './watch-loop.ts'

/** What all suites share in a worker, which serves one project. Created when the first one runs. */
let environment: RunEnvironment | undefined

/** The environment for one suite, with a counter of the bodies that the suite holds in memory. */
export function shareEnvironment(options: WorkerOptions): RunEnvironment {
  const shared = (environment ??= createEnvironment(options))
  return { ...shared, hold: shared.client.openHold() }
}

export async function closeEnvironment(): Promise<void> {
  const opened = environment
  environment = undefined
  opened?.engine.dispose()
  await opened?.client.close()
}

function createEnvironment(options: WorkerOptions): RunEnvironment {
  const { limits } = options
  const env = { ...options.env, ...process.env }
  const { expression: timeout, memory: memoryLimit } = limits
  const engine = createEngine({ timeout, memoryLimit, sandbox: options.sandbox })
  return {
    engine: createFunctionEngine(engine, options.shownFrom),
    client: createClient({ bodyLimit: limits.body, bodyBudget: limits.bodies }),
    readBlocked: watchLoop(),
    env,
    ...(options.extend !== undefined && { hooks: currentHooks() }),
    settings: {
      variables: { ...options.variables, ...(options.compat && readEnvVariables(env)) },
      timeout: options.timeout,
      followRedirects: options.follow_redirects ?? true,
      onFailure: options.on_failure,
      unresolved: options.unresolved,
      limits,
      redact: options.redact || [],
      savedFolder: resolve(options.shownFrom, options.outputDir, 'saved'),
      retry: options.retry ? { ...readRetry(options.retry), at: [1, 1] } : undefined,
      files: options.files?.map((folder) => resolve(options.root, folder)),
    },
  }
}

/** A source of generated data for one run of a suite. Depends on seed and name only, not on other suites. */
export function loadSuiteFaker(seed: number, name: string, limit: number): Promise<FakerSource> {
  let hash = seed
  for (const character of name) hash = Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)
  return loadFaker(hash >>> 0, limit)
}
