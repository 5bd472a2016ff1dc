import { report, type Reporting } from '../assertion/parse/report-problem.ts'
import type { NodePath } from '../problem.ts'
import { compilePath } from '../path/compile-path.ts'
import { captureRoots } from '../path/exchange-fields.ts'
import { findUnknownRoot } from '../path/path-roots.ts'

/** Reports a capture, named by the start of `at`, that says nothing. */
export function reportNoPath(state: Reporting, at: NodePath): void {
  report(state, at, {
    code: 'bad-value',
    message: `The capture \`${at[0]}\` has no path.`,
    hint: 'Write for example `body.json.token`; a literal null is `{{js: null}}` in quotes.',
  })
}

/** Reports a path that cannot be read, or that starts at what a response does not have; true when it can be evaluated. */
export function checkPath(state: Reporting, path: string, at: NodePath): boolean {
  if (path.trim() === '') {
    reportNoPath(state, at)
    return false
  }
  const compiled = compilePath(path)
  if (!('message' in compiled)) {
    const unknown = findUnknownRoot(compiled, captureRoots, state.options.kind)
    if (unknown) report(state, at, { code: 'bad-path', severity: 'doubt', ...unknown })
    return true
  }
  report(state, at, {
    code: 'bad-path',
    message: `\`${path}\` is not a JMESPath expression: at character ${compiled.offset + 1}, ${compiled.message}.`,
    ...(compiled.hint && { hint: compiled.hint }),
  })
  return false
}
