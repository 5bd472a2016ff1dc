import { isScalar, parseDocument, type Document } from 'yaml'
import type { Problem } from '../../errors.ts'
import type { Json } from '../../json.ts'
import { convertYaml, MAX_LEVELS } from './convert-yaml.ts'
import { isFatal, listSyntaxErrors } from './syntax.ts'
import type { SourceNode } from '../source-tree.ts'

/** The content of a YAML text: its value, the position of every part, and all problems. */
export type YamlReading = { value: Json | undefined; tree: SourceNode; problems: Problem[] }

/** Default for the maximum bytes of a suite file. */
export const DEFAULT_FILE_SIZE: number = 10 * 1024 * 1024

// Beyond this, the syntax tree takes too much memory and time.
const MAX_MARKS = 600_000

/** Reads one YAML 1.2 (core schema) document; never throws for its content. `value` is undefined if nothing is usable. */
export function readYaml(text: string, fileSize: number = DEFAULT_FILE_SIZE): YamlReading {
  const size = Buffer.byteLength(text)
  if (size > fileSize)
    return refuse(
      `The file has ${size} bytes; the limit is ${fileSize}.`,
      'Split the suite, or raise the `limits.fileSize` option.',
    )
  // Line ends, commas and brackets: a rough upper bound for the number of values.
  if ((text.match(/[\n,[{\]}]/g)?.length ?? 0) > MAX_MARKS)
    return refuse('The file has too many values.', 'Split the suite.')
  let document: Document.Parsed
  try {
    document = parseDocument(text, { uniqueKeys: false, resolveKnownTags: false, prettyErrors: false })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return refuseDepth()
  }
  const { contents, directives, errors } = document
  if (errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return refuseDepth()
  const problems = listSyntaxErrors(document, text)
  if (errors.some(isFatal)) return { ...NOTHING, problems }
  const add = (problem: Omit<Problem, 'severity' | 'range'>): void =>
    void problems.push({ ...problem, severity: 'error', range: [0, 3] })
  if (directives.yaml.version !== '1.2')
    add({
      code: 'yaml-syntax',
      message: 'Only YAML 1.2 is read.',
      hint: 'Remove the line that starts with `%YAML`.',
    })
  if (isEmpty(contents)) {
    const hint = 'Write its settings; a suite has at least `suite_name` and `steps`.'
    add({ code: 'empty-file', message: 'The file is empty.', hint })
    return { ...NOTHING, problems }
  }
  const { value, node } = convertYaml(contents, text, problems)
  return { value, tree: node, problems }
}

const NOTHING = { value: undefined, tree: { range: [0, 1] } } as const

/** The reading of a file that is too large: one problem and no value. */
function refuse(message: string, hint: string): YamlReading {
  return { ...NOTHING, problems: [{ code: 'too-large', severity: 'error', message, hint, range: [0, 1] }] }
}

function refuseDepth(): YamlReading {
  return refuse(`The file nests deeper than ${MAX_LEVELS} levels.`, 'Flatten the data.')
}

function isEmpty(contents: unknown): boolean {
  return (
    contents === null || (isScalar(contents) && contents.value === null && !contents.source && !contents.tag)
  )
}
