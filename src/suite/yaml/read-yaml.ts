import type { Problem } from '../../errors.ts'
import { escapeControl } from '../../escape-control.ts'
import type { Json } from '../../json.ts'
import { convertYaml, isMissing, MAX_LEVELS } from './convert-yaml.ts'
import { describeSyntax, isFatal, keepCauses, parseYaml, type ParsedYaml } from './syntax.ts'
import type { SourceNode } from '../source-tree.ts'
import { defaultLimits } from '../../limits.ts'

/** The content of a YAML text: its value, the position of every part, and all problems. */
export type YamlReading = { value: Json | undefined; tree: SourceNode; problems: Problem[] }

// Beyond this, the syntax tree takes too much memory and time.
const MAX_MARKS = 600_000

/** Reads one YAML 1.2 (core schema) document; never throws for its content. `value` is undefined if nothing is usable. */
export function readYaml(text: string, fileSize = defaultLimits.fileSize): YamlReading {
  const size = Buffer.byteLength(text)
  if (size > fileSize)
    return refuse(
      `The file has ${size} bytes; the limit is ${fileSize}.`,
      'Split the suite, or raise the `limits.fileSize` option.',
    )
  // Line ends, commas and opening brackets: a rough upper bound for the number of values.
  if ((text.match(/[\n,[{]/g)?.length ?? 0) > MAX_MARKS)
    return refuse('The file has too many values.', 'Split the suite.')
  let parsed: ParsedYaml
  try {
    parsed = parseYaml(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return refuse(`The file nests deeper than ${MAX_LEVELS} levels.`, 'Flatten the data.')
  }
  const { documents, errors } = parsed
  const problems = [
    ...findBadCharacters(text),
    ...keepCauses(text, errors).map((error) => describeSyntax(text, error)),
  ]
  const add = (place: number, problem: Omit<Problem, 'severity' | 'range'>): void =>
    void problems.push({ ...problem, severity: 'error', range: [place, place + 3] })
  if (documents.some(({ directives }) => directives.yaml.version !== '1.2'))
    add(Math.max(0, text.search(/^%YAML/m)), {
      code: 'yaml-syntax',
      message: 'Only YAML 1.2 is supported.',
      hint: 'Remove the line that starts with `%YAML`.',
    })
  if (errors.some(isFatal)) return { ...NOTHING, problems }
  const [document, second] = documents.filter(({ contents }) => !isMissing(contents))
  if (documents.length > 1)
    add((second ?? documents.at(-1))?.range[0] ?? 0, {
      code: 'several-documents',
      message: 'The file holds several YAML documents.',
      hint: 'Keep one suite per file; remove the line `---` or `...`.',
    })
  if (!document) {
    const hint = 'Write its settings; a suite has at least `suite_name` and `steps`.'
    add(0, { code: 'empty-file', message: 'The file is empty.', hint })
    return { ...NOTHING, problems }
  }
  const { value, node } = convertYaml(document.contents, text, problems)
  return { value, tree: node, problems }
}

const NOTHING = { value: undefined, tree: { range: [0, 1] } } as const

/** The reading of a file that is too large: one problem and no value. */
function refuse(message: string, hint: string): YamlReading {
  return { ...NOTHING, problems: [{ code: 'too-large', severity: 'error', message, hint, range: [0, 1] }] }
}

// Characters that YAML 1.2 (section 5.1) forbids but its library accepts. Cs are lone surrogates.
const FORBIDDEN = /\r(?!\n)|(?![\t\n\r\u0085])[\p{Cc}\p{Cs}\ufffe\uffff]/gu
const MAX_REPORTED = 20

/** Finds characters that must not occur literally in a YAML file: control characters, NUL, lone surrogates. Reports the first 20. */
function findBadCharacters(text: string): Problem[] {
  return [...text.matchAll(FORBIDDEN).take(MAX_REPORTED)].map(({ 0: character, index }) => ({
    code: 'yaml-syntax',
    severity: 'error',
    message: `The character \`${escapeControl(character)}\` is not allowed in YAML.`,
    hint: `Save the file as UTF-8 with normal line endings, or write the character as "${escapeControl(character)}" in double quotes.`,
    range: [index, index + 1],
  }))
}
