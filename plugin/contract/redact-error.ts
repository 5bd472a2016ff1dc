import { dirname, relative, resolve } from 'node:path'
import { SuiteError } from '../../src/errors.ts'
import { readTextIfThere } from '../../src/read-file.ts'
import { readOwnNames } from '../../src/secrets/secret-names.ts'
import { starOutLines } from '../../src/secrets/star-out.ts'
import { createSuiteRedactor, type RedactOption } from '../../src/secrets/suite-redactor.ts'

/** The error without the values that its file has under secret names: the usual ones, `names`, and those of its own `redact`. Messages show values, and code frames lines of the file, in the terminal and in every report. */
export function redactError(
  { file, problems }: SuiteError,
  { redact, path, names = [] }: { redact: RedactOption; path: string; names?: readonly string[] },
): SuiteError {
  // A file that cannot be read has no values to hide.
  const text = readTextIfThere(path) ?? ''
  const redactor = createSuiteRedactor({ redact: [...names, ...readOwnNames(text)] }, redact)
  redactor.learnSource(text)
  for (const { location, frame } of problems.filter((problem) => problem.location.file !== file)) {
    const other = resolve(dirname(path), relative(dirname(file), location.file))
    redactor.learnSource(readTextIfThere(other) ?? '')
    // The option `defaults` is in no file.
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
        frame: starOutLines(closed, redactor.redactSource(closed)),
      }
    }),
  )
}

/** A value whose end was cut off with its line would go on in the next one. */
function closeQuotes(frame: string): string {
  return frame.replaceAll(/^.*…$/gm, (line) => {
    const open = ["'", '"'].find((quote) => line.split(quote).length % 2 === 0)
    return open === undefined ? line : line + open
  })
}
