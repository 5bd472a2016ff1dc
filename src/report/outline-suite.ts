import { createRequire } from 'node:module'
import type { Node } from 'yaml'
import { makeStepId, stepLists } from '../suite/plan/step-id.ts'

/** What can be read from a suite file without running it, however broken it is. */
export type SuiteOutline = {
  node_id?: string | undefined
  suite_name?: string | undefined
  priority?: string | undefined
  tags: string[]
  /** Steps of `setup`, `steps` and `teardown`, in this order. */
  steps: { step_id: string; step_name: string; line?: number }[]
}

const longestRead = 10_485_760

/** Reads names and steps from the text of a suite that did not load or never started, so that each of its steps has a result. `hide` removes secrets from a name. Never throws. */
export function outlineSuite(text: string, hide = (name: string): string => name): SuiteOutline {
  const outline: SuiteOutline = { tags: [], steps: [] }
  if (text.length > longestRead) return outline
  // Loaded lazily: most runs load all their suites and need no outline.
  const { isAlias, isMap, isSeq, LineCounter, parseDocument } = createRequire(import.meta.url)(
    'yaml',
  ) as typeof import('yaml')
  const lineCounter = new LineCounter()
  try {
    const options = { lineCounter, uniqueKeys: false, stringKeys: false, logLevel: 'silent' } as const
    const document = parseDocument(text, options)
    const suite = document.contents
    // A quote that is not closed makes what follows, with its secrets, part of a name.
    const swallowed = document.errors.length === 0 ? /$/ : /\s[\w.-]+["']?:\s.*/s
    const readText = (value: unknown): string | undefined =>
      typeof value === 'string' || typeof value === 'number'
        ? hide(String(value).replace(swallowed, ''))
        : undefined
    if (!isMap(suite)) return outline
    outline.node_id = readText(suite.get('node_id'))
    outline.suite_name = readText(suite.get('suite_name'))
    outline.priority = readText(suite.getIn(['metadata', 'priority']))
    const tags = suite.getIn(['metadata', 'tags'])
    if (isSeq(tags)) outline.tags = tags.items.flatMap((_, index) => readText(tags.get(index)) ?? [])
    for (const list of stepLists) {
      const node = suite.get(list, true)
      const steps = isAlias(node) ? node.resolve(document) : node
      for (const [index, step] of isSeq(steps) ? steps.items.entries() : []) {
        const read = (key: string): string | undefined => (isMap(step) ? readText(step.get(key)) : undefined)
        const step_name = read('name') ?? ''
        const { range } = (step ?? {}) as Partial<Node>
        outline.steps.push({
          step_id: read('step_id') ?? makeStepId(index + 1, step_name, list === 'steps' ? 'step' : list),
          step_name,
          ...(range && { line: lineCounter.linePos(range[0]).line }),
        })
      }
    }
  } catch {
    // If the parser gives up, no further steps can be named; the load error is reported elsewhere.
  }
  return outline
}
