import type * as Slimdom from 'slimdom'
import { hintTypo, loadPackages, type Namespaces, type Select } from './languages.ts'

// Declared here because the types of the package need those of browsers.
type Evaluate = {
  (expression: string, node: unknown, ...others: unknown[]): unknown[]
  ALL_RESULTS_TYPE: unknown
}
type Packages = [{ evaluateXPath: Evaluate }, typeof Slimdom]

/** Matches expressions, each followed by its result, that say that nothing was found. */
const foundNone = /^(?:(?:count|exists|boolean)\(.*\) (?:0|false)|(?:not|empty)\(.*\) true)$/s

/** Parses XML without external entities and with limited expansion. Throws an error for bad XML. */
export function openXpath(text: string): Select {
  const [, { parseXmlDocument }] = loadPackages('xpath') as Packages
  const document = parseXmlDocument(text)
  return (expression, namespaces) => {
    const values = selectXpath(document, expression, namespaces)
    const isNone = values.length === 0 || foundNone.test(`${expression.trim()} ${values[0]}`)
    if (!isNone) return { values }
    return { values, hint: hintNamespace(expression, namespaces, document) || hintTypo(text, expression) }
  }
}

function selectXpath(document: Slimdom.Document, expression: string, namespaces: Namespaces): string[] {
  const [{ evaluateXPath }] = loadPackages('xpath') as Packages
  const namespaceResolver = (prefix: string): string | null =>
    Object.hasOwn(namespaces, prefix) ? (namespaces[prefix] as string) : null
  const found = evaluateXPath(expression, document, null, {}, evaluateXPath.ALL_RESULTS_TYPE, {
    namespaceResolver,
  })
  return found.map(readText)
}

/** Names an element of an expression that can only be in another namespace; empty if there is none. */
function hintNamespace(expression: string, namespaces: Namespaces, document: Slimdom.Document): string {
  const words = expression.replaceAll(/'[^']*'|"[^"]*"|[\w-]+::|[\w-]+\(|@[\w.:-]+|\b(?:and|or)\b/g, ' ')
  for (const name of words.match(/[a-z_][\w.:-]*/gi) ?? []) {
    const [local = '', prefix = ''] = name.split(':').toReversed()
    const uri = namespaces[prefix] ?? ''
    const named = document.getElementsByTagNameNS('*', local)
    const there = uri === '' && named.length === 0 ? [document.documentElement] : named
    if (there.length > 0 && there.every((element) => (element?.namespaceURI ?? '') !== uri))
      return `: \`${name}\` has ${uri === '' ? 'no namespace' : `the namespace \`${uri}\``} here, unlike in the response; see \`xml_namespaces\``
  }
  return ''
}

function readText(found: unknown): string {
  if (typeof found !== 'object' || found === null) return String(found)
  const { documentElement } = found as { documentElement?: { textContent?: unknown } }
  const { value, textContent } = (documentElement ?? found) as { value?: unknown; textContent?: unknown }
  if (typeof value === 'string') return value
  return typeof textContent === 'string' ? textContent.trim() : JSON.stringify(found)
}

/** Explains that an expression is invalid everywhere, or always true with this operator; else undefined. */
export function explainBadXpath(expression: string, names: Namespaces, operator = ''): string | undefined {
  const [, { Document }] = loadPackages('xpath') as Packages
  if (expression.trim() === '') return 'it is empty'
  try {
    const { length } = selectXpath(new Document(), expression, names)
    return length > 0 && operator === 'exists'
      ? 'it has a value in every document, so `exists` checks nothing; compare the value'
      : undefined
  } catch (error) {
    const { message, position } = error as Error & { position?: { start: { offset: number } } }
    const rest = expression.slice(position?.start.offset)
    if (message.includes('Failed to parse script') && position)
      return rest === '' ? 'it ends too early' : `it has a syntax error at \`${rest}\``
    const prefix = /The prefix (\S*) could not/.exec(message)?.[1]
    if (prefix !== undefined)
      return `the prefix \`${prefix}\` is not defined: define it in the suite with \`xml_namespaces: { ${prefix}: … }\``
    // XPST codes are static errors; others depend on the document.
    return /XPST\d+[:,]? (.*)/.exec(message)?.[1]?.slice(0, 120).replace(/\.$/, '')
  }
}
