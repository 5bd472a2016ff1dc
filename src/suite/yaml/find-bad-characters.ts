import type { Problem } from '../../errors.ts'
import { escapeControl } from '../../escape-control.ts'

// What YAML 1.2 (section 5.1) does not allow in a file; its library lets them through. Lone surrogates are Cs.
const forbidden = /\r(?!\n)|(?![\t\n\r\u0085])[\p{Cc}\p{Cs}\ufffe\uffff]/gu
const MAX_REPORTED = 20

/** Finds the characters that no YAML file may have as they are: control characters, NUL, halves of a pair. Reports the first 20. */
export function findBadCharacters(text: string): Problem[] {
  const problems: Problem[] = []
  for (const match of text.matchAll(forbidden)) {
    if (problems.length === MAX_REPORTED) break
    const shown = escapeControl(match[0])
    const hints: Record<string, string> = {
      '\0': 'Save the file as UTF-8.',
      '\r': 'End lines with \\n or \\r\\n.',
    }
    problems.push({
      code: 'yaml-syntax',
      severity: 'error',
      message: `The character \`${shown}\` is not allowed in YAML.`,
      hint: hints[match[0]] ?? `Write it as "${shown}" between double quotes.`,
      range: [match.index, match.index + 1],
    })
  }
  return problems
}
