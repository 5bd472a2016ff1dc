import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { experimental_getRunnerTask, type TestCase, type TestModule, type TestSuite } from 'vitest/node'
import { outlineSuite, slugify, type SuiteOutline } from '../../src/report/outline-suite.ts'
import type { SuiteRun } from '../../src/report/build-suite-result.ts'
import type { StepResult } from '../../src/run/result.ts'
import type { SuiteMeta } from '../meta.ts'
import { joinMessages, readStep } from './read-step.ts'

/** A suite of a run with what names its file: unique in the run, and the same in the next. */
export type NamedRun = { key: string; fileName: string; run: SuiteRun }

/** True for modules that are suite files, whatever came of them. */
export function isSuiteFile(moduleId: string): boolean {
  return /\.ya?ml$/i.test(moduleId)
}

/** Reads the suites of a test module from Vitest's task tree alone, so that merged shards give what one run gives. */
export function readModule(module: TestModule, root: string): NamedRun[] {
  const suites = [...module.children.allSuites()].filter((suite) => suite.meta().suitecase?.kind === 'suite')
  const key = `${module.project.name}\0${module.moduleId}`
  const named = suites
    .map((suite) => readSuite(suite))
    .filter((run) => run !== undefined)
    .map(({ run, row }, index) => {
      const fileName = row === undefined ? run.node_id : `${run.node_id}.${row + 1}`
      return { key: `${key}\0${index}`, fileName, run }
    })
  if (named.length > 0 || !isSuiteFile(module.moduleId)) return named
  const run = describeUnloaded(module.moduleId, root, module)
  return [{ key: `${key}\0`, fileName: run.node_id, run }]
}

function readSuite(suite: TestSuite): { run: SuiteRun; row: number | undefined } | undefined {
  const meta = suite.meta().suitecase as SuiteMeta
  const tests = [...suite.children.allTests()].filter((test) => findSuite(test) === suite)
  if (tests.length === 0 && suite.children.size > 0) return undefined
  const steps = readSteps(tests, meta.node_id)
  const errors = [...suite.errors(), ...suite.module.errors()]
  const { duration, startTime } = experimental_getRunnerTask(suite).result ?? {}
  const { kind: _kind, row, ...known } = meta
  const error = meta.error_message ?? (errors.length > 0 ? joinMessages(errors) : undefined)
  const run: SuiteRun = {
    ...known,
    steps,
    start_time: meta.start_time || new Date(startTime ?? 0).toISOString(),
    ...(duration === undefined ? {} : { duration_ms: duration }),
    suite_yaml_content: meta.suite_yaml_content ?? readText(suite.module.moduleId),
    ...(error === undefined ? {} : { error_message: error }),
  }
  return { run, row }
}

/** The innermost suite of ours around a test. */
function findSuite(test: TestCase): TestSuite | undefined {
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) {
    if (parent.meta().suitecase?.kind === 'suite') return parent
  }
  return undefined
}

function readSteps(tests: readonly TestCase[], nodeId: string): StepResult[] {
  return tests.flatMap((test, index) => readStep(test, { nodeId, number: index + 1 }))
}

/** A suite file without suites: it did not load, or the run ended before its turn. Its steps are taken from its text. */
export function describeUnloaded(moduleId: string, root: string, module?: TestModule): SuiteRun {
  const text = readText(moduleId)
  const outline = outlineSuite(text)
  const path = relative(root, moduleId).split(sep).join('/')
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/(\.suite)?\.ya?ml$/i, '')
  const node_id = outline.node_id ?? (slugify(file) || 'suite')
  const tests = module ? [...module.children.allTests()] : []
  const errors = module?.errors() ?? []
  return {
    node_id,
    suite_name: outline.suite_name ?? file,
    file_path: path,
    priority: outline.priority ?? 'medium',
    tags: outline.tags,
    steps: tests.length > 0 ? readSteps(tests, node_id) : listNotRun(outline, node_id),
    suite_yaml_content: text,
    ...(errors.length > 0 ? { error_message: joinMessages(errors) } : {}),
  }
}

function listNotRun({ steps }: SuiteOutline, nodeId: string): StepResult[] {
  return steps.map((step) =>
    Object.assign({}, step, {
      qualified_step_id: `${nodeId}::${step.step_id}`,
      status: 'not_run' as const,
      duration_ms: 0,
      assertions_results: [],
      captured_variables: {},
      available_variables: {},
    }),
  )
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    // A shard may be merged where the suites are not, and a suite may be deleted while it runs.
    return `# ${path.slice(path.lastIndexOf('/') + 1)} could not be read: ${(error as NodeJS.ErrnoException).code}\n`
  }
}
