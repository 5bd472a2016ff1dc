import { dirname, relative, resolve } from 'node:path'
import { SuiteError } from '../../src/errors.ts'
import { readTextIfThere } from '../../src/read-file.ts'
import { starOut } from '../../src/secrets/star-out.ts'
import type { Redactor } from '../../src/secrets/redactor.ts'
import { createFileRedactor, type FileSecrets } from '../../src/secrets/suite-redactor.ts'

/** Hides the secrets of a file in an error: its messages show values, and its code frames show lines. */
export function redactError(
  { file, problems }: SuiteError,
  { path, ...secrets }: FileSecrets & { path: string },
): SuiteError {
  // A file that cannot be read has no values to hide.
  const redactor = createFileRedactor(readTextIfThere(path) ?? '', secrets)
  for (const { location, frame } of problems.filter((problem) => problem.location.file !== file)) {
    const other = resolve(dirname(path), relative(dirname(file), location.file))
    redactor.learnSource(readTextIfThere(other) ?? '')
    // A problem in an option is in no file: its secrets are learnt from the frame.
    redactor.learnSource(frame.replaceAll(/^.*?\| (?: *\^+$)?/gm, ''))
  }
  return new SuiteError(
    file,
    problems.map(({ message, hint, frame, ...problem }) => ({
      ...problem,
      message: redactor.redactText(message),
      ...(hint !== undefined && { hint: redactor.redactText(hint) }),
      frame: redactFrame(frame, redactor),
    })),
  )
}

/** Hides secrets in a code frame, where a cut line must not seem to go on in the next one. */
function redactFrame(frame: string, redactor: Redactor): string {
  const lines = frame.split('\n')
  const closed = lines.map((line) => line + findClosing(line)).join('\n')
  const starred = starOut(closed, redactor.redactSource(closed)).split('\n')
  return starred.map((line, index) => line.slice(0, lines[index]?.length)).join('\n')
}

/** The quote and the brackets that a cut line leaves open. */
function findClosing(line: string): string {
  if (!line.endsWith('…')) return ''
  const quote = ["'", '"'].find((each) => line.split(each).length % 2 === 0) ?? ''
  let closing = ''
  for (const [bracket] of (line + quote).replaceAll(/'[^']*'|"[^"]*"/g, '').matchAll(/[[\]{}]/g))
    closing = bracket === '{' ? `}${closing}` : bracket === '[' ? `]${closing}` : closing.slice(1)
  return quote + closing
}
