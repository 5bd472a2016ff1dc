import { isJsonObject } from '../../json.ts'
import { formatFieldPath } from '../../path/field-path.ts'
import type { Language } from '../../request/markup/languages.ts'
import { showValue } from '../../text/show-value.ts'
import { readOperand, type TreeNode } from './assertion-tree.ts'
import { parseTexts } from './parse-headers.ts'
import type { ParseState } from './parse-state.ts'

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
    parseTexts(state, { target: language, path: [key], field }, { value, at: [...node.at, key] })
  }
}
