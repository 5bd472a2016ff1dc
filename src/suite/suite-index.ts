import { basename } from 'node:path'
import { slugify } from './plan/step-id.ts'

/** What a quick look at a suite file tells, without parsing it. */
export type SuiteSummary = {
  nodeId: string
  priority: number
  /** Roots of `{{root.name}}` and listed dependencies: more than the real ones, never fewer. */
  mentions: string[]
  /** Names of YAML files in the text, which may be those of other suites. */
  files: string[]
  hasTags: boolean
}

const PRIORITIES = ['critical', 'high', 'medium', 'low']

/** Node id of a suite that does not name one: the slug of its file name without `.suite.yaml`. */
export function defaultNodeId(path: string): string {
  const name = basename(path).replace(/(\.suite)?\.ya?ml$/i, '')
  return slugify(name) || 'suite'
}

/** Looks at the text of a suite for what ordering and finding suites needs; linear, never throws. */
export function summariseSuite(path: string, text: string): SuiteSummary {
  // A suite in one pair of braces (JSON) has its keys anywhere, others at the start of a line.
  const key = text.trimStart().startsWith('{')
    ? /[{,]\s*["']?node_id["']?\s*:\s*["']?([\w-]+)/
    : /^["']?node_id["']?\s*:\s*["']?([\w-]+)/m
  const nodeId = key.exec(text)?.[1]
  const priority = /\bpriority["']?\s*:\s*["']?(critical|high|medium|low)\b/.exec(text)?.[1]
  const mentions = new Set<string>()
  // The look-behind makes a long word cost its length once, not once per character; without bounds V8's stack for going back may overflow.
  for (const match of text.matchAll(/(?<![\w-])([\w-]{1,1000})\s{0,1000}\.\s{0,1000}[\w[]/g))
    mentions.add(match[1] as string)
  const depends = /^depends\s*:([^\n]*(?:\n[ \t]*-[^\n]*)*)/m.exec(text)?.[1]
  for (const match of depends?.matchAll(/[\w-]+/g) ?? []) mentions.add(match[0])
  for (const match of text.matchAll(/\bsuite["']?\s*:\s*["']?([\w-]+)["']?[ \t]*(?=[\r\n,}]|$)/g))
    mentions.add(match[1] as string)
  return {
    nodeId: nodeId ?? defaultNodeId(path),
    priority: PRIORITIES.indexOf(priority ?? 'medium'),
    mentions: [...mentions],
    files: [...new Set(text.match(/(?<![^\s"'`,:[\]{}])[^\s"'`,:[\]{}]{1,4000}\.ya?ml(?![\w.-])/gi))],
    hasTags: /\btags["']?\s*:/.test(text),
  }
}

/** A suite as ordering sees it. */
export type OrderedSuite = { file: string; nodeId: string; priority: number; mentions: readonly string[] }

/** Orders suites so that each comes after those it mentions; among free ones by priority, then as given. Cycles are left as they stand. */
export function orderSuites<Suite extends OrderedSuite>(suites: readonly Suite[]): Suite[] {
  const byNode = new Map(suites.map((suite) => [suite.nodeId, suite]))
  const ordered: Suite[] = []
  const seen = new Set<Suite>()
  const visit = (suite: Suite): void => {
    if (seen.has(suite)) return
    seen.add(suite)
    for (const mention of suite.mentions) {
      const needed = byNode.get(mention)
      if (needed) visit(needed)
    }
    ordered.push(suite)
  }
  for (const suite of suites.toSorted((a, b) => a.priority - b.priority)) visit(suite)
  return ordered
}
