import type { ResultWarning } from '../problem.ts'

/** A warning with the line it stands at. */
export type MergedWarning = ResultWarning & { line: number }

/** Warnings of loading a suite and of its steps, in the order of its lines, each once: what was known at load is not said again by the step. */
export function mergeWarnings(
  atLoad: readonly ResultWarning[],
  steps: readonly { line?: number; warnings?: readonly ResultWarning[] }[],
): MergedWarning[] {
  const inSteps = steps.flatMap(({ warnings = [], line = 1 }) => warnings.map((each) => ({ line, ...each })))
  const news = inSteps.filter((each) => {
    const name = /^(`[^`]+`) has no value/.exec(each.message)?.[1]
    return !atLoad.some(({ line, message }) => name && line === each.line && message.includes(name))
  })
  const merged = new Map<string, MergedWarning>()
  for (const warning of [...atLoad, ...news]) {
    const { message, line = 1, column = 1 } = warning
    merged.set(`${line}:${column} ${message}`, { ...warning, line })
  }
  return [...merged.values()].toSorted((a, b) => a.line - b.line || (a.column ?? 1) - (b.column ?? 1))
}
