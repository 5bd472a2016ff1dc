import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { experimental_getRunnerTask } from 'vitest/node'
import type { SerializedError, TestCase, TestModule, TestSpecification, TestSuite } from 'vitest/node'
import { parseJson } from '../../../src/json.ts'
import type { SuiteRecording } from '../../../src/report/build-suite-result.ts'
import { outlineSuite } from '../../../src/report/outline-suite.ts'
import { recordStep } from '../../../src/report/step-record.ts'
import { defaultNodeId } from '../../../src/suite/suite-index.ts'
import type { SuiteMeta, SuiteVariables } from '../../contract/meta.ts'
import { joinMessages, makeNotRun, readTests } from './read-tests.ts'
import { relativePath } from '../../../src/resolve-path.ts'

/** A suite of a run. Its file is named after `fileName`. */
export type NamedRun = { fileName: string; run: SuiteRecording }

type Block = TestSuite | TestModule

/** True for modules that are suite files, whether they loaded or not. */
export function isSuiteFile(moduleId: string): boolean {
  return /\.ya?ml$/i.test(moduleId)
}

/** A key that tells a module from those of other projects, merged blobs and files. */
export function keyOf(file: TestModule | TestSpecification): string {
  return `${file.project.name}\0${blobLabel(file) ?? ''}\0${file.moduleId}`
}

/** The label of the blob that a merged module comes from. */
function blobLabel(file: TestModule | TestSpecification): string | undefined {
  return 'meta' in file && file.project.vitest.config.mergeReports !== undefined
    ? file.meta()['__vitest_label__']
    : undefined
}

/** What names of suites end with: the project, if another has the same file, and the label of the blob. */
function listLabels(file: TestModule | TestSpecification): string[] {
  const { project, moduleId } = file
  // Only projects of suites, which share a pool, can have a suite file.
  const others = project.vitest.projects.filter(
    (each) => each !== project && (!isSuiteFile(moduleId) || each.config.pool === project.config.pool),
  )
  // Vitest need not read the file, which may be gone, for tests within sources.
  const isShared = others.some((other) => other.matchesTestGlob(moduleId, () => ' '))
  const label = blobLabel(file)
  return [...(isShared ? [project.name.replace(/ \(suites\)$/, '')] : []), ...(label ? [label] : [])]
}

/** Puts labels behind the name of a suite, and behind the name of its result file. */
function nameRun(labels: readonly string[], run: SuiteRecording, row?: number): NamedRun {
  if (labels.length > 0) run.suite_name += ` [${labels.join(', ')}]`
  return { run, fileName: [run.node_id, ...labels, ...(row === undefined ? [] : [row + 1])].join('.') }
}

/** True for a describe block whose meta says that it is a suite. */
export function isReported(suite: TestSuite): boolean {
  return suite.meta().suitecase?.kind === 'suite'
}

/** Reads the suites of a test module from Vitest's task tree alone, so that merged shards give the same result as one run. */
export function readModule(module: TestModule, root: string): NamedRun[] {
  const labels = listLabels(module)
  return listBlocks(module).map(({ block, tests, row }) => {
    const isTold = block.type === 'suite' && isReported(block)
    return nameRun(labels, isTold ? readTold(block, tests) : readUntold(module, { root, block, tests }), row)
  })
}

/** Describes a suite file that no worker started. */
export function readUnstarted(file: TestSpecification, root: string): NamedRun {
  return nameRun(listLabels(file), readUntold(file, { root }))
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
  return `${module.relativeModuleId}: its suites are not known, since the file could not be loaded: ${joinMessages(errors)}`
}

/** The blocks of a module that are suites, with their own tests. In a suite file this includes blocks that ended before they could report (a dead worker, a failed hook), or the whole file if it has no blocks. */
function listBlocks(module: TestModule): { block: Block; tests: TestCase[]; row: number | undefined }[] {
  const told = [...module.children.allSuites()].filter(isReported).flatMap((block) => {
    const tests = [...block.children.allTests()].filter((test) => findSuite(test) === block)
    const { row } = block.meta().suitecase as SuiteMeta
    return tests.length === 0 && block.children.size > 0 ? [] : [{ block, tests, row }]
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

/** The innermost of our suites around a test. */
function findSuite(test: TestCase): TestSuite | undefined {
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) {
    if (isReported(parent)) return parent
  }
  return undefined
}

function readTold(block: TestSuite, tests: readonly TestCase[]): SuiteRecording {
  const { kind: _kind, row: _row, secrets: _secrets, ...meta } = block.meta().suitecase as SuiteMeta
  const { steps: records, variables, start_time, error_message, ...known } = meta
  const text = meta.suite_yaml_content ?? readText(block.module.moduleId)
  const errors = listErrors(block).map((error) => tellPlace(error, block.module, meta.file_path))
  const { duration, startTime } = experimental_getRunnerTask(block).result ?? {}
  const started = start_time || (startTime !== undefined && new Date(startTime).toISOString())
  return {
    ...known,
    ...(variables === undefined ? {} : (parseJson(variables) as SuiteVariables)),
    steps: readTests(tests, meta.node_id, records),
    ...(started && { start_time: started }),
    ...(duration === undefined ? {} : { duration_ms: duration }),
    suite_yaml_content: text,
    isRaw: meta.suite_yaml_content === undefined,
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

/** Describes a suite that did not load, died or never started. Names, and steps if there are no tests, are taken from its text. */
function readUntold(
  { moduleId }: Pick<TestModule, 'moduleId'>,
  { root, block, tests = [] }: { root: string; block?: Block; tests?: readonly TestCase[] },
): SuiteRecording {
  const text = readText(moduleId)
  const outline = outlineSuite(text)
  const nodeId = outline.node_id ?? defaultNodeId(moduleId)
  const name = block?.type === 'suite' ? block.name : outline.suite_name
  const errors = block ? listErrors(block) : []
  return {
    node_id: nodeId,
    suite_name: name ?? basename(moduleId).replace(/(\.suite)?\.ya?ml$/i, ''),
    file_path: relativePath(root, moduleId),
    priority: outline.priority ?? 'medium',
    tags: outline.tags,
    steps:
      tests.length > 0
        ? readTests(tests, nodeId)
        : outline.steps.map((step) => recordStep(makeNotRun(nodeId, step))),
    suite_yaml_content: text,
    isRaw: true,
    error_message: errors.length > 0 ? joinMessages(errors) : undefined,
  }
}

/** The text of a suite file, or a comment that says why it cannot be read: shards may be merged where the suites are not. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    return `# ${basename(path)} could not be read: ${(error as NodeJS.ErrnoException).code}\n`
  }
}
