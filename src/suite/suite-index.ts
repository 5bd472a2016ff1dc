import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { slugify } from './plan/step-id.ts'

/** What can be told about a suite file without parsing it. */
export type SuiteSummary = ReturnType<typeof summariseSuite>

const FILE =
  /(?:(?<=["'`]|: )[^\n"'`,:[\]{}]{1,4000}?|(?<![^\s"'`,:[\]{}])[^\s"'`,:[\]{}]{1,4000})\.ya?ml(?![\w.-])/gi

const PRIORITIES = ['critical', 'high', 'medium', 'low']

/** Node id of a suite that has none: the slug of its file name without `.suite.yaml`, or a hash if no character is left. */
export function defaultNodeId(path: string): string {
  const name = basename(path).replace(/(\.suite)?\.ya?ml$/i, '')
  return slugify(name) || `suite-${hash('sha256', name.normalize('NFC')).slice(0, 8)}`
}

/** Searches the text of a suite for what ordering and finding suites needs. Takes linear time, never throws. */
export function summariseSuite(path: string, text: string) {
  // In JSON, keys may be anywhere; elsewhere they start a line. The `priority` must be in `metadata`, not a body.
  const [key, rank] = text.trimStart().startsWith('{')
    ? [
        /[{,]\s*["']?node_id["']?\s*:\s*["']?([\w-]+)["']?\s*[,}]/,
        /[{,]\s*["']?metadata["']?\s*:\s*\{[^{}]{0,9999}?\bpriority["']?\s*:\s*["']?(critical|high|medium|low)\b/,
      ]
    : [
        /^["']?node_id["']?\s*:\s*["']?([\w-]+)["']?[ \t]*(?:$|[ \t]#)/m,
        /^["']?metadata["']?[ \t]*:(?:[^\n]{0,9999}\n(?=[\s#])){0,999}?[^\n]{0,9999}?\bpriority["']?\s*:\s*["']?(critical|high|medium|low)\b/m,
      ]
  const depends = /^depends\s*:([^\n]*(?:\n(?=[\s#\]-])[^\n]*){0,999})/m.exec(text)?.[1]
  const mentions = [
    // The look-behind keeps the search of a long word linear; the bounds keep V8's backtracking stack from overflowing.
    /(?<![\w-])([\w-]{1,1000})\s{0,1000}\.\s{0,1000}[\w[]/g,
    /\bsuite["']?\s*:\s*["']?([\w-]+)["']?[ \t]*(?=[\r\n,}]|$)/g,
  ].flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name]) => name as string))
  return {
    nodeId: key.exec(text)?.[1] ?? defaultNodeId(path),
    priority: PRIORITIES.indexOf(rank.exec(text)?.[1] ?? 'medium'),
    /** Roots of `{{root.name}}` and listed dependencies, as far as a quick look tells; possibly too many. */
    mentions: [...new Set([...mentions, ...(depends?.match(/[\w-]+/g) ?? [])])],
    /** Names of YAML files in the text, possibly of other suites. They may hold blanks after a quote or key. */
    // Most texts name no file, and looking for names takes long.
    files: /\.ya?ml/i.test(text) ? [...new Set(text.match(FILE))] : [],
    hasTags: /\btags["']?\s*:/.test(text),
  }
}

export type OrderedSuite = { file: string; nodeId: string; priority: number; mentions: readonly string[] }

/** Sorts suites so that each comes after those it mentions; otherwise by priority, then as given. Cycles are allowed. */
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
