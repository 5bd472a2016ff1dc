import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import type { SerializedError, TestCase } from 'vitest/node'
import type { SuiteRecording } from '../../../src/report/build-suite-result.ts'
import { outlineSuite, type SuiteOutline } from '../../../src/report/outline-suite.ts'
import type { StepResult } from '../../../src/run/result.ts'
import { slugify } from '../../../src/suite/plan/step-id.ts'
import { joinMessages, readTests } from './read-tests.ts'

/** A suite file, or one of its blocks, of which no result came. */
export type Unreported = {
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
        : listNotRun(outline, node_id),
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

/** Text of a suite file; a comment saying why when it cannot be read: a shard may be merged where the suites are not. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    return `# ${path.slice(path.lastIndexOf('/') + 1)} could not be read: ${(error as NodeJS.ErrnoException).code}\n`
  }
}
