import { dirname, relative, resolve } from 'node:path'
import { SuiteError } from '../../src/errors.ts'
import { readTextIfThere } from '../../src/read-file.ts'
import { starOut } from '../../src/secrets/star-out.ts'
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
    problems.map(({ message, hint, frame, ...problem }) => {
      const closed = closeQuotes(frame)
      return {
        ...problem,
        message: redactor.redactText(message),
        ...(hint !== undefined && { hint: redactor.redactText(hint) }),
        frame: starOut(closed, redactor.redactSource(closed)).replaceAll(/.\0/g, ''),
      }
    }),
  )
}

/** Closes open quotes on cut lines, so that no value seems to go on. A NUL marks each one for removal. */
function closeQuotes(frame: string): string {
  return frame.replaceAll(/^.*…$/gm, (line) => {
    const open = ["'", '"'].find((quote) => line.split(quote).length % 2 === 0)
    return open === undefined ? line : `${line}${open}\0`
  })
}
