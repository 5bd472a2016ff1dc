import { hasTemplate } from '../../interpolation/template.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { formatFieldPath, showPathStep } from '../../path/field-path.ts'
import { token } from '../../request/build/build-headers.ts'
import { previewValue, showValue } from '../../text/show-value.ts'
import { didYouMean } from '../../text/suggest.ts'
import { operators } from '../operators/operators.ts'
import type { TargetOf } from '../targets.ts'
import { refuseTemplate, type ParseState, type Subject } from './add-check.ts'
import { isEmptyMap, isMapNode, listNodeEntries, toOperand } from './assertion-tree.ts'
import type { TreeEntry, TreeNode } from './assertion-tree.ts'
import { parseChecks } from './parse-checks.ts'
import { dataWords, lengthWords, textWords } from './vocabularies.ts'

type NamedTarget = TargetOf<'headers' | 'cookies' | 'selectors'>

const EXAMPLES: Readonly<Record<NamedTarget, [names: string, example: string]>> = {
  headers: ['header names', 'content-type: {contains: json}'],
  cookies: ['cookie names', 'session: {http_only: true}'],
  xpath: ['expressions', "'//item[1]/@id': 7"],
  css: ['expressions', 'h1: Hi'],
}

/** Parses `headers`, `cookies`, `xpath` or `css`: names with a value, a list of values, or operators. */
export function parseNamed(state: ParseState, node: TreeNode, target: NamedTarget): void {
  if (!isMapNode(node) || isEmptyMap(node)) {
    const [names, example] = EXAMPLES[target]
    return state.report(node.at, {
      message: `Expected \`${target}\` to be a map of ${names}, got ${showValue(node.json)}.`,
      hint: `For example, write \`${example}\` below it.`,
    })
  }
  for (const entry of listNodeEntries(state, { ...node, whole: target !== 'headers' }))
    if ((target === 'headers' || target === 'cookies') && showPathStep(entry.name).includes('*'))
      state.report(entry.node.at, {
        code: 'bad-path',
        message: `\`*\` does not stand for any name in \`${target}\`.`,
        hint: 'Name each of them, or check all in `custom`.',
      })
    else if (target === 'headers') parseHeader(state, entry)
    else if (target === 'cookies') parseCookie(state, entry)
    else {
      const path = [showPathStep(entry.name)]
      parseChecks(state, { target, path, field: formatFieldPath(path, target), words: textWords }, entry.node)
    }
}

/** Parses a header. Its name may be in any case, and have an index after it. */
function parseHeader(state: ParseState, { name, node }: TreeEntry): void {
  if (typeof name !== 'string' || !token.test(name))
    return state.report(node.at, {
      code: 'bad-path',
      message: `${previewValue(showPathStep(name))} is not a header name.`,
      hint: 'Header names are letters, digits and hyphens, such as `content-type`.',
    })
  const [first, ...rest] = node.below
  const index = typeof first?.name === 'number' ? [first.name] : []
  const field = formatFieldPath([name, ...index], 'headers')
  const subject: Subject = {
    target: 'headers',
    path: [name.toLowerCase(), ...index],
    field,
    words: textWords,
  }
  parseChecks(state, subject, index.length > 0 ? { ...node, below: rest } : node)
}

const ATTRIBUTES = 'value path domain expires max_age secure http_only same_site partitioned'.split(' ')

/** Parses a cookie: its value, operators on its value, or checks on its attributes. */
function parseCookie(state: ParseState, { name, node }: TreeEntry): void {
  if (typeof name === 'string' && hasTemplate(name)) return state.report(node.at, refuseTemplate(name))
  const field = formatFieldPath([name], 'cookies')
  const cookie: Subject = { target: 'cookies', path: [name], field, words: dataWords }
  const value: Subject = { ...cookie, path: [name, 'value'], field: `${field}.value` }
  if (!isMapNode(node) || isEmptyMap(node)) return parseChecks(state, value, node)
  for (const entry of listNodeEntries(state, node)) {
    const key = showPathStep(entry.name)
    const isOfValue = operators[key] !== undefined && key !== 'exists' && key !== 'optional'
    if (!operators[key] && !ATTRIBUTES.includes(key)) {
      state.report(entry.node.at, {
        code: 'unknown-field',
        message: `A cookie has no \`${key}\`${didYouMean(key, ATTRIBUTES)}.`,
        hint: `Known here: ${ATTRIBUTES.join(', ')}, and checks on the value.`,
      })
      continue
    }
    const below = [{ name: entry.name, quoted: entry.quoted }, ...entry.node.below]
    parseChecks(state, isOfValue ? value : cookie, { ...entry.node, below })
  }
}

function isOfCount([key, operand]: [string, Json]): boolean {
  const isNested = operators[key]?.nested === 'value' || operators[key]?.nested === 'list'
  return [operand].flat().some((one) => {
    if (isJsonObject(one)) return isNested && Object.entries(one).some(isOfCount)
    return typeof one !== 'object' && (isNested || lengthWords.find(key) !== undefined)
  })
}

/** Parses `redirects`: how many were followed, or checks on the list of them. */
export function parseRedirects(state: ParseState, node: TreeNode): void {
  const json = toOperand(node)
  const isCount = isJsonObject(json) ? Object.entries(json).some(isOfCount) : !Array.isArray(json)
  const below = isCount ? [{ name: 'length', quoted: false }, ...node.below] : node.below
  const subject: Subject = { target: 'redirects', path: [], field: 'redirects', words: dataWords }
  parseChecks(state, subject, { ...node, below })
}
