import { createRequire } from 'node:module'
import type { Node } from 'yaml'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { makeStepId } from '../suite/plan/step-id.ts'

/** What can be told of a suite file without running it, however broken it is. */
export type SuiteOutline = {
  node_id?: string | undefined
  suite_name?: string | undefined
  priority?: string | undefined
  tags: string[]
  /** Of `setup`, `steps` and `teardown`, in this order. */
  steps: StepOutline[]
}

export type StepOutline = { step_id: string; step_name: string; line?: number }

const longestRead = 10_485_760

const lists = [
  ['setup', 'setup'],
  ['steps', 'step'],
  ['teardown', 'teardown'],
] as const

/** Reads names and steps from the text of a suite that did not load or never started, so that each of its steps has a result. Never throws. */
export function outlineSuite(text: string): SuiteOutline {
  const outline: SuiteOutline = { tags: [], steps: [] }
  if (text.length > longestRead) return outline
  // Most runs load all of their suites, and need no outline.
  const { LineCounter, parseDocument, Scalar, visit } = createRequire(import.meta.url)(
    'yaml',
  ) as typeof import('yaml')
  const lineCounter = new LineCounter()
  try {
    const options = { lineCounter, uniqueKeys: false, stringKeys: false, logLevel: 'silent' } as const
    const document = parseDocument(text, options)
    // An alias of nothing would throw. Asking each alias what it stands for would walk through all of the file.
    const anchors = new Set<string | undefined>()
    visit(document, {
      Value: (_, { anchor }) => void anchors.add(anchor),
      Alias: (_, { source }) => (anchors.has(source) ? undefined : new Scalar(null)),
    })
    const suite: unknown = document.toJS({ maxAliasCount: -1 })
    if (!isJsonObject(suite)) return outline
    outline.node_id = readText(suite['node_id'])
    outline.suite_name = readText(suite['suite_name'])
    const { metadata } = suite
    if (isJsonObject(metadata)) {
      const { priority, tags } = metadata
      outline.priority = readText(priority)
      if (Array.isArray(tags)) outline.tags = tags.flatMap((tag) => readText(tag) || [])
    }
    for (const [list, phase] of lists) {
      const steps = suite[list]
      for (const [index, step] of Array.isArray(steps) ? steps.entries() : []) {
        const { name, step_id: id } = isJsonObject(step) ? step : ({} as JsonObject)
        const step_name = readText(name) ?? ''
        const node = document.getIn([list, index], true) as Partial<Node> | undefined
        outline.steps.push({
          step_id: readText(id) ?? makeStepId(index + 1, step_name, phase),
          step_name,
          ...(node?.range && { line: lineCounter.linePos(node.range[0]).line }),
        })
      }
    }
  } catch {
    // What the parser gives up on has no further steps that could be named; its load error is reported elsewhere.
  }
  return outline
}

function readText(value: Json | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
