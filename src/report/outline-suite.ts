import { createRequire } from 'node:module'
import type { Document, LineCounter, YAMLMap } from 'yaml'
import { makeStepId } from '../suite/plan/step-id.ts'

/** What can be told of a suite file without running it, however broken it is. */
export type SuiteOutline = {
  node_id?: string
  suite_name?: string
  priority?: string
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
  const { isMap, isScalar, isSeq, LineCounter } = loadYaml()
  const lines = new LineCounter()
  const root = readRoot(text, lines)
  if (!root) return outline
  for (const name of ['node_id', 'suite_name'] as const) {
    const value = readText(root, name)
    if (value !== undefined) outline[name] = value
  }
  const metadata = root.get('metadata', true)
  if (isMap(metadata)) {
    const priority = readText(metadata, 'priority')
    if (priority !== undefined) outline.priority = priority
    const tags = metadata.get('tags', true)
    if (isSeq(tags))
      outline.tags = tags.items.map((tag) => (isScalar(tag) ? String(tag.value) : '')).filter(Boolean)
  }
  for (const [list, phase] of lists) outline.steps.push(...readSteps(root, { list, phase, lines }))
  return outline
}

let yaml: typeof import('yaml') | undefined

/** Most runs load all of their suites, and need no outline. */
function loadYaml(): typeof import('yaml') {
  yaml ??= createRequire(import.meta.url)('yaml') as typeof import('yaml')
  return yaml
}

function readRoot(text: string, lineCounter: LineCounter): YAMLMap | undefined {
  try {
    const { isMap, parseDocument } = loadYaml()
    const document: Document = parseDocument(text, {
      lineCounter,
      uniqueKeys: false,
      stringKeys: false,
      logLevel: 'silent',
    })
    return isMap(document.contents) ? document.contents : undefined
  } catch {
    // Text the parser gives up on has no steps that could be named; its load error is reported elsewhere.
    return undefined
  }
}

function readText(map: YAMLMap, key: string): string | undefined {
  const { isScalar } = loadYaml()
  const node = map.get(key, true)
  const value = isScalar(node) ? node.value : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

type StepList = { list: string; phase: string; lines: LineCounter }

function readSteps(root: YAMLMap, { list, phase, lines }: StepList): StepOutline[] {
  const { isMap, isSeq } = loadYaml()
  const steps = root.get(list, true)
  if (!isSeq(steps)) return []
  return steps.items.map((item, index): StepOutline => {
    const name = isMap(item) ? (readText(item, 'name') ?? '') : ''
    const id = isMap(item) ? readText(item, 'step_id') : undefined
    const outline: StepOutline = { step_id: id ?? makeStepId(index + 1, name, phase), step_name: name }
    const offset = (item as { range?: [number, number, number] | null } | null)?.range?.[0]
    if (offset !== undefined) outline.line = lines.linePos(offset).line
    return outline
  })
}
