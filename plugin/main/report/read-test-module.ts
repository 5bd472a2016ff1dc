import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { experimental_getRunnerTask } from 'vitest/node'
import type { SerializedError, TestCase, TestModule, TestSpecification, TestSuite } from 'vitest/node'
import { parseJson } from '../../../src/json.ts'
import { readTextIfThere } from '../../../src/read-file.ts'
import type { SuiteRecording } from '../../../src/report/build-suite-result.ts'
import { outlineSuite } from '../../../src/report/outline-suite.ts'
import { readStep, recordStep, type StepRecord } from '../../../src/report/step-record.ts'
import type { StepResult } from '../../../src/run/result.ts'
import { keepLines } from '../../../src/secrets/star-out.ts'
import type { Redactor } from '../../../src/secrets/redactor.ts'
import { createFileRedactor } from '../../../src/secrets/suite-redactor.ts'
import { makeStepId } from '../../../src/suite/plan/step-id.ts'
import { defaultNodeId } from '../../../src/suite/suite-index.ts'
import type { StepMeta, SuiteMeta, SuiteVariables } from '../../contract/meta.ts'
import { relativePath } from '../../../src/resolve-path.ts'

/** What a run recorded of a suite. Its result file is named after `fileName`. */
export type NamedRun = { fileName: string; run: SuiteRecording }

type Block = TestSuite | TestModule

/** True for modules that are suite files, whether they loaded or not. */
export function isSuiteFile(moduleId: string): boolean {
  return /\.ya?ml$/i.test(moduleId)
}

/** A key that identifies a module by its file, its project, and the blob it was merged from. */
export function keyOf(file: TestModule | TestSpecification): string {
  return `${file.moduleId}\0${file.project.name}\0${blobLabel(file) ?? ''}`
}

function blobLabel(file: TestModule | TestSpecification): string | undefined {
  return 'meta' in file && file.project.vitest.config.mergeReports !== undefined
    ? file.meta()['__vitest_label__']
    : undefined
}

/** What is added to names of suites: the project, if another has the same file, and the label of the blob. */
function listLabels(file: TestModule | TestSpecification): string[] {
  const { project, moduleId } = file
  // Only projects of suites, which share a pool, can have a suite file.
  const others = project.vitest.projects.filter(
    (each) => each !== project && (!isSuiteFile(moduleId) || each.config.pool === project.config.pool),
  )
  // The blank text keeps Vitest from reading the file, which may be gone, in search of in-source tests.
  const isShared = others.some((other) => other.matchesTestGlob(moduleId, () => ' '))
  const label = blobLabel(file)
  return [...(isShared ? [project.name.replace(/ \(suites\)$/, '')] : []), ...(label ? [label] : [])]
}

function nameRun(labels: readonly string[], run: SuiteRecording, row?: number): NamedRun {
  if (labels.length > 0) run.suite_name += ` [${labels.join(', ')}]`
  return { run, fileName: [run.node_id, ...labels, ...(row === undefined ? [] : [row + 1])].join('.') }
}

/** True for a describe block whose meta says that it is a suite. */
export function isReported(suite: TestSuite): boolean {
  return suite.meta().suitecase?.kind === 'suite'
}

/** Reads the suites of a module from Vitest's task tree alone, so that merged shards give the same result. */
export function readModule(module: TestModule, root: string): NamedRun[] {
  const labels = listLabels(module)
  return listBlocks(module).map(({ block, tests, row }) => {
    const isTold = block.type === 'suite' && isReported(block)
    return nameRun(
      labels,
      isTold ? readReported(block, tests) : readUnreported(module, { root, block, tests }),
      row,
    )
  })
}

/** Describes a suite file that no worker started. */
export function readUnstarted(file: TestSpecification, root: string): NamedRun {
  return nameRun(listLabels(file), readUnreported(file, { root }))
}

/** The metas of the suites in a module. */
export function listMetas({ children }: TestModule): SuiteMeta[] {
  const metas = Array.from(children.allSuites(), (suite) => suite.meta().suitecase)
  return metas.filter((meta) => meta?.kind === 'suite')
}

/** Why the suites defined in a test file are missing: the file could not be loaded. Undefined for any other file. */
export function describeUnloaded(module: TestModule): string | undefined {
  const errors = module.errors()
  if (errors.length === 0 || module.children.size > 0 || isSuiteFile(module.moduleId)) return undefined
  if (!/\b(?:defineSuite|buildSuite)\b/.test(readText(module.moduleId))) return undefined
  return `${module.relativeModuleId}: its suites are unknown, because the file could not be loaded: ${joinMessages(errors)}`
}

/** The blocks of a module that are suites. In a suite file also those that could not report, or the whole file. */
function listBlocks(module: TestModule): { block: Block; tests: TestCase[]; row: number | undefined }[] {
  const told = [...module.children.allSuites()].filter(isReported).map((block) => {
    const { row } = block.meta().suitecase as SuiteMeta
    return { block, tests: [...block.children.allTests()], row }
  })
  if (!isSuiteFile(module.moduleId)) return told
  const rows = [...module.children.suites()]
  const untold = rows.flatMap((block, index) => {
    if ([block, ...block.children.allSuites()].some(isReported)) return []
    return [{ block, tests: [...block.children.allTests()], row: rows.length > 1 ? index : undefined }]
  })
  if (told.length + untold.length > 0) return [...told, ...untold]
  return [{ block: module, tests: [...module.children.allTests()], row: undefined }]
}

function readReported(block: TestSuite, tests: readonly TestCase[]): SuiteRecording {
  const { kind: _kind, row: _row, secrets: _secrets, ...meta } = block.meta().suitecase as SuiteMeta
  const { steps: records, variables, start_time, error_message, ...known } = meta
  const errors = listErrors(block).map((error) => tellPlace(error, block.module, meta.file_path))
  const { duration, startTime } = experimental_getRunnerTask(block).result ?? {}
  const started = start_time || (startTime !== undefined && new Date(startTime).toISOString())
  return {
    ...known,
    ...(variables === undefined ? {} : (parseJson(variables) as SuiteVariables)),
    steps: readTests(tests, meta.node_id, records),
    ...(started && { start_time: started }),
    ...(duration === undefined ? {} : { duration_ms: duration }),
    suite_yaml_content: meta.suite_yaml_content ?? readHidden(block.module).text,
    error_message: error_message ?? (errors.length > 0 ? joinMessages(errors) : undefined),
  }
}

/** Errors around the tests of a block: from its own hooks and from those of enclosing blocks. */
function listErrors(block: Block): SerializedError[] {
  return block.type === 'module' ? block.errors() : [...block.errors(), ...listErrors(block.parent)]
}

/** Puts the place in the suite file before an error's message, unless it already names one. */
function tellPlace(error: SerializedError, { moduleId }: TestModule, path: string): { message: string } {
  const { message, stack = '' } = error
  const place = /:\d+:\d+$/.exec(stack)?.[0] ?? ''
  const isTold = /^\S.*?:\d+:\d+: /.test(message)
  if (isTold || place === '' || !stack.endsWith(`at ${moduleId}${place}`)) return error
  return { message: `${path}${place}: ${message}` }
}

/** Describes a suite that did not load, died or never started. What its tests do not tell is in its text. */
function readUnreported(
  file: TestModule | TestSpecification,
  { root, block, tests = [] }: { root: string; block?: Block; tests?: readonly TestCase[] },
): SuiteRecording {
  const { text, outline } = readHidden(file)
  const nodeId = outline.node_id ?? defaultNodeId(file.moduleId)
  const name = block?.type === 'suite' ? block.name : outline.suite_name
  const errors = block ? listErrors(block) : []
  return {
    node_id: nodeId,
    suite_name: name ?? basename(file.moduleId).replace(/(\.suite)?\.ya?ml$/i, ''),
    file_path: relativePath(root, file.moduleId),
    priority: outline.priority ?? 'medium',
    tags: outline.tags,
    steps:
      tests.length > 0
        ? readTests(tests, nodeId)
        : outline.steps.map((step) => recordStep(makeNotRun(nodeId, step))),
    suite_yaml_content: text,
    error_message: errors.length > 0 ? joinMessages(errors) : undefined,
  }
}

/** The text of a suite file and what can be read from it, without secrets. */
function readHidden(file: TestModule | TestSpecification) {
  const text = readText(file.moduleId)
  const own = createModuleRedactor(file, text)
  return { text: keepLines(text, own.redactSource(text)), outline: outlineSuite(text, own.redactText) }
}

/** The redactor of a suite file, which knows what its text names as secret. */
export function createModuleRedactor(
  { moduleId, project }: TestModule | TestSpecification,
  text = readText(moduleId),
): Redactor {
  const { redact, env } = project.getProvidedContext().suitecase ?? {}
  return createFileRedactor(text, { redact, env: { ...env, ...project.config.env } })
}

/** The text of a suite file or, where it is gone, as where shards are merged, a comment that says so. */
function readText(path: string): string {
  return readTextIfThere(path) ?? `# ${basename(path)} could not be read.\n`
}

/** The results of a suite's tests. `records` has the known ones by test, one per iteration. */
function readTests(
  tests: readonly TestCase[],
  nodeId: string,
  records: readonly (readonly StepRecord[])[] = [],
): StepRecord[] {
  return tests.flatMap((test, index) => {
    const known = records[index] ?? []
    if (known.length > 0) return settle(test, known)
    // The tests of a suite in TypeScript that could not be loaded have no meta.
    const meta = test.meta().suitecase
    const told: Partial<StepMeta> = meta?.kind === 'step' ? meta : {}
    const { step_id = makeStepId(index + 1, test.name), step_name = test.name } = told
    const line = test.location?.line
    return recordStep({
      ...makeNotRun(nodeId, { step_id, step_name, ...(line !== undefined && { line }) }),
      duration_ms: Math.round(test.diagnostic()?.duration ?? 0),
      ...describeUnfinished(test),
    })
  })
}

function makeNotRun(nodeId: string, step: Pick<StepResult, 'step_id' | 'step_name' | 'line'>): StepResult {
  const { step_id, step_name, ...place } = step
  return {
    step_id,
    qualified_step_id: `${nodeId}::${step_id}`,
    step_name,
    status: 'not_run',
    duration_ms: 0,
    assertions_results: [],
    captured_variables: {},
    available_variables: {},
    ...place,
  }
}

/** Vitest's verdict wins where it is worse: a test that failed, died or was cancelled is never shown as passed. */
function settle(test: TestCase, records: readonly StepRecord[]): readonly StepRecord[] {
  const { state, errors } = test.result()
  const change = (place: number, changes: Partial<StepResult>): StepRecord[] => {
    const { skip_reason: _reason, flaky: _flaky, ...known } = readStep(records.at(place) as StepRecord)
    return records.with(place, recordStep({ ...known, ...changes }))
  }
  const passed = records.findLastIndex(({ figures }) => figures.status === 'success')
  // Vitest retried the test, and its earlier results are gone.
  const isRetried = test.diagnostic()?.flaky && !records.some(({ figures }) => figures.flaky)
  if (state === 'passed' && isRetried) return change(passed, { flaky: true })
  if (state !== 'failed' || records.some(({ figures }) => figures.status === 'failure')) return records
  return change(passed, { status: 'failure', error_message: joinMessages(errors) })
}

function describeUnfinished(test: TestCase): Pick<StepResult, 'status' | 'error_message' | 'skip_reason'> {
  const result = test.result()
  const known = experimental_getRunnerTask(test).result
  if (result.state === 'failed') return { status: 'failure', error_message: joinMessages(result.errors) }
  // Its details were lost with its worker.
  if (result.state === 'passed') return { status: 'success' }
  if (result.state === 'pending') {
    // The test that was running when its worker ended has failed. Those after it did not run.
    if (known?.state !== 'run') return { status: 'not_run' }
    const error_message = 'The step did not end: the worker it ran in stopped or was killed.'
    return { status: 'failure', error_message }
  }
  // The run stopped or a hook failed before it. One left out on purpose has no result, or a `pending` one.
  if (known && !('pending' in known)) return { status: 'not_run' }
  if (test.options.mode === 'todo') return { status: 'skipped', skip_reason: 'todo' }
  return { status: 'skipped', skip_reason: result.note ?? 'not selected, or skipped in the suite' }
}

/** The messages of Vitest's errors, one per line. */
export function joinMessages(errors: readonly { message?: unknown }[] | undefined): string {
  const messages = (errors ?? []).map(({ message }) =>
    typeof message === 'string' && message !== '' ? stripVTControlCharacters(message) : 'Unknown error',
  )
  return messages.length === 0 ? 'The test failed without an error.' : messages.join('\n')
}
