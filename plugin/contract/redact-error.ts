import { drawCodeFrame } from '../../src/code-frame.ts'
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
  const texts = new Set(problems.map(({ written }) => written.source.text))
  for (const text of texts) redactor.learnSource(text)
  const starred = new Map(Array.from(texts, (text) => [text, starOut(text, redactor.redactSource(text))]))
  return new SuiteError(
    file,
    problems.map(({ message, hint, ...problem }) => {
      const { source, range } = problem.written
      return {
        ...problem,
        message: redactor.redactText(message),
        ...(hint !== undefined && { hint: redactor.redactText(hint) }),
        frame: drawCodeFrame(starred.get(source.text) as string, range),
      }
    }),
  )
}
