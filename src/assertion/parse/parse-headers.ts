import { isJsonObject, type Json } from '../../json.ts'
import type { NodePath } from '../../errors.ts'
import { readOperand, type TreeNode } from './assertion-tree.ts'
import { operators } from '../operators/operators.ts'
import { parseChecks } from './parse-checks.ts'
import type { ParseState } from './parse-state.ts'
import { textWords } from './vocabularies.ts'
import { previewValue, showValue } from '../../text/show-value.ts'
import { formatFieldPath } from '../../path/field-path.ts'
import { token } from '../../request/build/build-headers.ts'
import type { Language } from '../../request/markup/languages.ts'

const MAX_KEY = 1000

/** Parses `headers`: names (any case) with a value, a list of values, or operators; `name.operator` and `name[0]` work as keys. */
export function parseHeaders(state: ParseState, node: TreeNode): void {
  const json = readOperand(node)
  if (!isJsonObject(json) || Object.keys(json).length === 0)
    return state.report(node.at, {
      code: 'bad-check',
      message: `Expected \`headers\` to be a map of header names, got ${showValue(json)}.`,
      hint: 'Write for example `content-type: {contains: json}` below it.',
    })
  for (const [key, value] of Object.entries(json))
    parseHeader(state, { key, value, at: 'entry' in node ? node.at : [...node.at, key] })
}

type Header = { key: string; value: Json; at: NodePath }

/** Parses one header of `headers`, or of a flat key such as `headers.content-type.contains`. */
export function parseHeader(state: ParseState, { key, value, at }: Header): void {
  // Names may contain dots; only an operator at the end is split off.
  const dot = key.lastIndexOf('.')
  const operator = key.slice(dot + 1)
  if (dot > 0 && key.length <= MAX_KEY && operators[operator]) {
    const header = key.slice(0, dot)
    return parseHeader(state, { key: header, value: Object.fromEntries([[operator, value]]), at })
  }
  const [, name = '', index] = /^\["?([^"[\]]*)"?\]$/.exec(key) ?? /^([^[\]]*)(?:\[(\d+)\])?$/.exec(key) ?? []
  if (!token.test(name) || key.length > MAX_KEY)
    return state.report(at, {
      code: 'bad-path',
      message: `${previewValue(key)} is not a header name.`,
      hint: 'Header names are letters, digits and hyphens, such as `content-type`.',
    })
  const path = index === undefined ? [name.toLowerCase()] : [name.toLowerCase(), Number(index)]
  parseChecks(
    state,
    { target: 'headers', path, field: `headers.${key}`, words: textWords },
    { json: value, at },
  )
}

const EXAMPLES: Readonly<Record<Language, string>> = { xpath: "'//item[1]/@id': 7", css: 'h1: Hi' }

/** Parses `xpath` and `css`: expressions with a value, a list of values, or operators. */
export function parseMarkup(state: ParseState, node: TreeNode, language: Language): void {
  const json = readOperand(node)
  if (!isJsonObject(json) || Object.keys(json).length === 0)
    return state.report(node.at, {
      code: 'bad-check',
      message: `Expected \`${language}\` to be a map of expressions, got ${showValue(json)}.`,
      hint: `Write for example \`${EXAMPLES[language]}\` below it.`,
    })
  for (const [key, value] of Object.entries(json)) {
    const field = formatFieldPath([key], language)
    const at = [...node.at, key]
    parseChecks(state, { target: language, path: [key], field, words: textWords }, { json: value, at })
  }
}
