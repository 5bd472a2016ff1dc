import { dirname, relative, resolve } from 'node:path'
import type { TestFunction, WorkerGlobalState } from 'vitest'
import { stateProblem, SuiteError } from '../../../src/errors.ts'
import { escapeControl } from '../../../src/escape-control.ts'
import { isJsonObject, stringifyJson } from '../../../src/json.ts'
import { outlineSuite } from '../../../src/report/outline-suite.ts'
import { defaultNodeId } from '../../../src/suite/suite-index.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import { createFileRedactor, createNameRedactor } from '../../../src/secrets/suite-redactor.ts'
import { readTimestamp } from '../../../src/timestamp.ts'
import { listBlocks, nameSuite, type NamedTest } from '../../contract/name-tests.ts'
import { redactError } from '../../contract/redact-error.ts'
import type { SuiteMeta } from '../../contract/meta.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { describeProblems } from '../session/task-errors.ts'
import { addTest, type StepTask } from '../engine/collect-tests.ts'
import { SuiteBlock, type BlockInput } from '../session/suite-block.ts'
import { hideInConsole } from '../session/hide-secrets.ts'
import { findLinks, obtainFor } from './find-links.ts'
import { loadDefinition, type Definition } from './load-definition.ts'
import type { TestFile } from './place-definition.ts'
import { closing, runAsTest } from './run-as-test.ts'
import { beforeAll, describe, inject, test, TestRunner, workerState } from './running-vitest.ts'

type Blocks = NonNullable<TestFile['blocks']>

const FLAGS = { concurrent: false, shuffle: false }

/** Declares the describe block of a definition. Its contents are read when Vitest opens the block. */
export function declareDefinition(definition: Definition): void {
  const options = readOptions()
  if (!process.listeners('SIGINT').some(({ name }) => name === leaveToMain.name))
    process.on('SIGINT', leaveToMain)
  const state = workerState() as WorkerGlobalState
  hideInConsole(state)
  const { file } = definition.call
  const { path } = file
  const { suite_name, redact, variables } = definition.value
  const name = typeof suite_name === 'string' ? suite_name : 'A suite without a name'
  const names = Array.isArray(redact) ? redact.filter((one) => typeof one === 'string') : []
  const known = isJsonObject(variables) ? variables : {}
  const redactor = createNameRedactor({ redact: names, variables: known }, options.redact)
  // oxlint-disable-next-line vitest/valid-title -- the name of the suite
  describe(nameSuite({ name }, { redactor }), FLAGS, async () => {
    definition.isClosed = true
    try {
      const linked = await findLinks(await loadDefinition(definition, options), path, options)
      const blocks = (file.blocks ??= [])
      const obtain = obtainFor(blocks, options)
      const { config } = state
      declareBlocks({ ...linked, options, config, obtain, print: console.log }, blocks)
    } catch (error) {
      if (!(error instanceof SuiteError)) throw error
      const secrets = { ...options, names }
      const { redactText } = createFileRedactor(stringifyJson(definition.value), secrets)
      declareBroken(definition, { name, error: redactError(error, { ...secrets, path }), redactText })
    }
  })
}

/**
 * Keeps Ctrl-C, which a terminal sends to all processes of a run, from ending this one before suites tear down.
 * Found by its name, since files in `vmThreads` share the process, but not this module.
 */
function leaveToMain(): void {}

/** The options of the plugin. Throws where suites cannot be defined, or would not run as they should. */
function readOptions(): WorkerOptions {
  // Once Vitest has collected the tests of a file, it silently ignores more.
  if (TestRunner.getCurrentSuite().file?.collectDuration !== undefined)
    throw new Error(
      'A suite was defined too late: in a hook or a test, or after an `await` that the file does not wait for. Define it while the file is being loaded; top-level `await` is allowed.',
    )
  // A DOM environment has its own `fetch` and classes, which Node's servers and clients cannot use.
  if ('document' in globalThis)
    throw new Error(
      'Suites run in the environment `node`, but this file uses a browser environment. Write `// @vitest-environment node` on its first line.',
    )
  const options = inject('suitecase') as WorkerOptions | undefined
  if (options) return options
  throw new Error(
    'Suites in TypeScript need the plugin: add `suites()` from `suitecase/plugin` to the plugins of the Vitest configuration. A project with its own configuration file needs it there.',
  )
}

/** Declares the steps, in a block of their own for each row of `each`, inside the suite's block. */
function declareBlocks(input: Omit<BlockInput, 'name' | 'tests'>, blocks: Blocks): void {
  for (const { name, tests, row, index } of listBlocks(input.plan, input.options)) {
    if (!row) return declareSteps({ ...input, name }, tests, blocks)
    // oxlint-disable-next-line vitest/valid-title -- the name of the suite and the row
    describe(name, FLAGS, () => {
      declareSteps({ ...input, name, row, index }, tests, blocks)
    })
  }
}

function declareSteps(input: Omit<BlockInput, 'tests'>, named: readonly NamedTest[], blocks: Blocks): void {
  const tests: StepTask[] = []
  const suite = new SuiteBlock({ ...input, tests })
  blocks.push({ linked: input, tests })
  const { plan } = input
  for (const [at, each] of named.entries()) {
    const { step, loop } = each
    const handler: TestFunction = ({ task, signal, skip }) =>
      runAsTest(suite, step, { task, signal, skip, test: at, loop, plan })
    tests.push(addTest(TestRunner, each, { tags: [...plan.tags, ...step.tags], handler }))
  }
  // Set early, since the worker may die, but after the tests, which copy the meta of their block.
  Object.assign(TestRunner.getCurrentSuite().suite?.meta ?? {}, { suitecase: suite.describe() })
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures a hook uses from this pattern
  closing.afterAll(async ({}, { meta, file: { filepath } }) => {
    const { meta: told, problems } = await suite.finish(filepath)
    meta.suitecase = told
    if (problems.length > 0) throw new AggregateError(describeProblems(problems, filepath))
  }, 0)
}

/** Declares the steps of a definition that did not load. A hook reports the mistakes once. No step runs. */
function declareBroken(
  { call, value }: Definition,
  { name, error, redactText }: { name: string; error: SuiteError } & Pick<Redactor, 'redactText'>,
): void {
  const mistakes = error.problems
    .filter(({ severity }) => severity === 'error')
    .flatMap((problem) => {
      // The mistake may be in a file that suites share, or in the module of `extend`.
      const own = resolve(dirname(call.file.path), relative(dirname(error.file), problem.file))
      return describeProblems([{ message: stateProblem(problem), at: problem.at }], own)
    })
  const outline = outlineSuite(stringifyJson(value), redactText)
  const told: SuiteMeta = {
    kind: 'suite',
    node_id: outline.node_id ?? defaultNodeId(call.file.path),
    suite_name: redactText(name),
    file_path: error.file,
    priority: outline.priority ?? 'medium',
    tags: outline.tags,
    start_time: readTimestamp(),
  }
  beforeAll(() => {
    told.error_message = error.message
    throw new AggregateError(mistakes)
  })
  const steps = outline.steps.length > 0 ? outline.steps : [{ step_id: 'step-1', step_name: '' }]
  for (const [index, { step_id, step_name }] of steps.entries()) {
    const shown = escapeControl(step_name || `Step ${index + 1}`)
    // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect -- never run: the hook above fails first
    test(shown, { meta: { suitecase: { kind: 'step', step_id, step_name: shown } } }, () => {
      throw new AggregateError(mistakes)
    })
  }
  // Set early, since the run may be stopped before the hook.
  Object.assign(TestRunner.getCurrentSuite().suite?.meta ?? {}, { suitecase: told })
}
