import { HttpProblem } from '../http-problem.ts'

/** Deeper documents are taken for invalid JSON, as Python's parser gives up at about this depth. */
const MAX_DEPTH = 1000

/** The most keys and values of a document: with more, reading it would keep other clients waiting. */
const MAX_VALUES = 100_000

/** A number as it was written: `1.0`, `12345678901234567890`. */
export interface NumberText {
  readonly rawJSON: string
}

/** What the engine has of ECMA-262's source text access, which TypeScript does not know yet. */
const json = JSON as unknown as {
  parse: (
    text: string,
    revive: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown
  rawJSON: (text: string) => NumberText
  isRawJSON: (value: unknown) => value is NumberText
}

/** Whether a value of `parseJson` is a number that keeps its text. */
export const isNumberText: (value: unknown) => value is NumberText = json.isRawJSON

/** Finds numbers that JavaScript would write in another way: reading them with their text takes many times as long. */
const UNUSUAL_NUMBER =
  /(?:^|[[:,\s])-?(?:(?<=-)0(?=[\s,\]}]|$)|\d{16}|\d{1,15}[.eE](?:[\d.eE+-]{41}|[\d.eE+-]{1,40}(?=[\s,\]}]|$)))/

/**
 * Reads JSON (RFC 8259), numbers with their source text; undefined when the text is something else.
 * @throws HttpProblem 413 when it has too many values
 */
export function parseJson(text: string): unknown {
  // A short text cannot be too deep.
  const { depth, separators } = text.length > MAX_DEPTH ? measure(text) : { depth: 0, separators: 0 }
  if (depth > MAX_DEPTH) return undefined
  const isTooLarge = separators > MAX_VALUES
  const isUnusual = !isTooLarge && UNUSUAL_NUMBER.test(text)
  let value: unknown
  try {
    value = isUnusual ? json.parse(text, keepNumber) : JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (isTooLarge) throw new HttpProblem(413, `the JSON has more than ${MAX_VALUES} keys and values`)
  return value
}

function keepNumber(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value
}

/** How deep brackets are nested outside strings, and how many commas and colons there are. */
function measure(text: string): { depth: number; separators: number } {
  let [level, depth, separators, isString] = [0, 0, 0, false]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 34) isString = !isString
    else if (isString) index += Number(code === 92)
    else if (code === 44 || code === 58) separators++
    else if (code === 91 || code === 123) depth = Math.max(depth, ++level)
    else if (code === 93 || code === 125) level--
  }
  return { depth, separators }
}
