import { parseJson } from '../../../src/json.ts'
import { experimental_getRunnerTask } from 'vitest/node'
import type { TestCase, TestModule, TestSuite, SerializedError } from 'vitest/node'
import type { SuiteRecording } from '../../../src/report/build-suite-result.ts'
import { outlineSuite } from '../../../src/report/outline-suite.ts'
import type { SuiteMeta, SuiteVariables } from '../../contract/meta.ts'
import { recordStep } from '../../../src/report/step-record.ts'
import { joinMessages, makeNotRun, readTests } from './read-tests.ts'
import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { slugify } from '../../../src/suite/plan/step-id.ts'

/** A suite of a run with what names its file: unique in the run, and the same in the next. */
export type NamedRun = { key: string; fileName: string; run: SuiteRecording }

/** True for modules that are suite files, whatever their outcome. */
export function isSuiteFile(moduleId: string): boolean {
  return /\.ya?ml$/i.test(moduleId)
}

/** What tells a module from those of other projects and files. */
export function keyOf({ project, moduleId }: Pick<TestModule, 'project' | 'moduleId'>): string {
  return `${project.name}\0${moduleId}`
}

/** Reads the suites of a test module from Vitest's task tree alone, so that merged shards give what one run gives. */
export function readModule(module: TestModule, root: string): NamedRun[] {
  const found: FoundRun[] = [...module.children.allSuites()]
    .filter(isReported)
    .map(readSuite)
    .filter((one) => one !== undefined)
  if (isSuiteFile(module.moduleId)) found.push(...readUnreported(module, root, found.length))
  const key = keyOf(module)
  return found.map(({ run, row }, index) => {
    const fileName = row === undefined ? run.node_id : `${run.node_id}.${row + 1}`
    return { key: `${key}\0${run.node_id}\0${row ?? index}`, fileName, run }
  })
}

/** Lets go of the results of a module's steps, which are most of what a run holds in memory; figures and warnings stay. */
export function releaseResults(module: TestModule): void {
  for (const suite of module.children.allSuites()) {
    const { suitecase } = suite.meta()
    if (suitecase?.kind === 'suite') for (const record of suitecase.steps?.flat() ?? []) record.text = ''
  }
}

type FoundRun = { run: SuiteRecording; row: number | undefined }

/** Why a test file that could not be loaded has none of the suites that its text defines; undefined for any other. */
export function describeUnloaded(module: TestModule): string | undefined {
  const errors = module.errors()
  if (errors.length === 0 || module.children.size > 0 || isSuiteFile(module.moduleId)) return undefined
  if (!/\b(?:defineSuite|buildSuite)\b/.test(readText(module.moduleId))) return undefined
  return `${module.relativeModuleId}: its suites are not known, since the file could not be loaded: ${joinMessages(errors)}`
}

/** Blocks of a suite file that ended without telling what they are (a dead worker, a failed hook), or the file as a whole when it has no blocks. */
function readUnreported(module: TestModule, root: string, reported: number): FoundRun[] {
  const { moduleId } = module
  const blocks = [...module.children.suites()]
  const runs = blocks.flatMap((block, index) => {
    if ([block, ...block.children.allSuites()].some(isReported)) return []
    const errors = [...block.errors(), ...module.errors()]
    const run = describeUnreported({ moduleId, root, tests: [...block.children.allTests()], errors })
    return [{ run, row: blocks.length > 1 ? index : undefined }]
  })
  if (reported + runs.length > 0) return runs
  const tests = [...module.children.allTests()]
  return [{ run: describeUnreported({ moduleId, root, tests, errors: module.errors() }), row: undefined }]
}

/** True for a describe block that says that it is a suite. */
export function isReported(suite: TestSuite): boolean {
  return suite.meta().suitecase?.kind === 'suite'
}

function readSuite(suite: TestSuite): FoundRun | undefined {
  const meta = suite.meta().suitecase as SuiteMeta
  const tests = [...suite.children.allTests()].filter((test) => findSuite(test) === suite)
  if (tests.length === 0 && suite.children.size > 0) return undefined
  const text = meta.suite_yaml_content ?? readText(suite.module.moduleId)
  // What is known of a test that ended without a result is taken from the suite's text.
  const hasAll = tests.every((_, index) => meta.steps?.[index]?.length)
  const outlined = hasAll ? [] : outlineSuite(text).steps
  const errors = listErrors(suite)
  const { duration, startTime } = experimental_getRunnerTask(suite).result ?? {}
  const { kind: _kind, row, steps: records, secrets: _secrets, variables, ...known } = meta
  const error =
    meta.error_message ??
    (errors.length > 0
      ? joinMessages(errors.map((one) => tellPlace(one, suite.module, meta.file_path)))
      : undefined)
  const { start_time, ...described } = known
  const started = start_time || (startTime !== undefined && new Date(startTime).toISOString())
  const run: SuiteRecording = {
    ...described,
    ...(variables === undefined ? {} : (parseJson(variables) as SuiteVariables)),
    steps: readTests(tests, { nodeId: meta.node_id, outlined, records }),
    ...(started && { start_time: started }),
    ...(duration === undefined ? {} : { duration_ms: duration }),
    suite_yaml_content: text,
    ...(error === undefined ? {} : { error_message: error }),
  }
  return { run, row }
}

/** An error whose message begins with its place in the suite file, unless it names one already. */
function tellPlace<Told extends Pick<SerializedError, 'message' | 'stack'>>(
  error: Told,
  { moduleId }: TestModule,
  path: string,
): Told {
  const { message, stack = '' } = error
  const place = /:\d+:\d+$/.exec(stack)?.[0] ?? ''
  if (!stack.endsWith(`at ${moduleId}${place}`) || place === '' || /^\S+:\d+:\d+: /.test(message))
    return error
  return { ...error, message: `${path}${place}: ${message}` }
}

/** What failed around the tests of a block: its hooks, and those of what it is in. */
function listErrors(block: TestSuite | TestModule): SerializedError[] {
  return block.type === 'module' ? block.errors() : [...block.errors(), ...listErrors(block.parent)]
}

/** The innermost suite of ours around a test. */
function findSuite(test: TestCase): TestSuite | undefined {
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) {
    if (isReported(parent)) return parent
  }
  return undefined
}

type Unreported = {
  moduleId: string
  root: string
  tests?: readonly TestCase[]
  errors?: readonly SerializedError[]
}

/** Describes a suite that did not load, died or never had its turn: names and, where there are no tests, steps are taken from its text. */
export function describeUnreported({ moduleId, root, tests = [], errors = [] }: Unreported): SuiteRecording {
  const text = readText(moduleId)
  const outline = outlineSuite(text)
  const path = relative(root, moduleId).split(sep).join('/')
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/(\.suite)?\.ya?ml$/i, '')
  const node_id = outline.node_id ?? (slugify(file) || 'suite')
  return {
    node_id,
    suite_name: outline.suite_name ?? file,
    file_path: path,
    priority: outline.priority ?? 'medium',
    tags: outline.tags,
    steps:
      tests.length > 0
        ? readTests(tests, { nodeId: node_id, outlined: outline.steps })
        : outline.steps.map((step) => recordStep(makeNotRun(node_id, step))),
    suite_yaml_content: text,
    ...(errors.length > 0 ? { error_message: joinMessages(errors) } : {}),
  }
}

/** Text of a suite file; a comment saying why when it cannot be read: a shard may be merged where the suites are not. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    return `# ${path.slice(path.lastIndexOf('/') + 1)} could not be read: ${(error as NodeJS.ErrnoException).code}\n`
  }
}
