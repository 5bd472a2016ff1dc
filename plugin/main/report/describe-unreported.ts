import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import type { SerializedError, TestCase } from 'vitest/node'
import type { SuiteRun } from '../../../src/report/build-suite-result.ts'
import { outlineSuite, type StepOutline, type SuiteOutline } from '../../../src/report/outline-suite.ts'
import type { StepResult } from '../../../src/run/result.ts'
import { slugify } from '../../../src/suite/plan/step-id.ts'
import { joinMessages, readStep } from './read-step.ts'

/** A suite file, or one of its blocks, of which no result came. */
export type Unreported = {
  moduleId: string
  root: string
  tests?: readonly TestCase[]
  errors?: readonly SerializedError[]
}

/** Describes a suite that did not load, died or never had its turn: names and, where there are no tests, steps are taken from its text. */
export function describeUnreported({ moduleId, root, tests = [], errors = [] }: Unreported): SuiteRun {
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
        : listNotRun(outline, node_id),
    suite_yaml_content: text,
    ...(errors.length > 0 ? { error_message: joinMessages(errors) } : {}),
  }
}

/** What is known of the tests of a suite: results by test, and steps as its text has them. */
type TestSources = {
  nodeId: string
  outlined: readonly StepOutline[]
  results?: readonly (readonly StepResult[])[]
}

/** Tests that left no result get the id of their step when each step has exactly one test. */
export function readTests(
  tests: readonly TestCase[],
  { nodeId, outlined, results = [] }: TestSources,
): StepResult[] {
  return tests.flatMap((test, index) => {
    const step = outlined.length === tests.length ? outlined[index] : undefined
    return readStep(test, {
      nodeId,
      number: index + 1,
      results: results[index] ?? [],
      ...(step && { step }),
    })
  })
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

/** Text of a suite file; a comment saying why when it cannot be read: a shard may be merged where the suites are not. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    return `# ${path.slice(path.lastIndexOf('/') + 1)} could not be read: ${(error as NodeJS.ErrnoException).code}\n`
  }
}
