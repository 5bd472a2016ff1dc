import type * as Slimdom from 'slimdom'
import { didYouMean, findTypo } from '../../text/suggest.ts'
import { loadPackages } from './languages.ts'

/** Prefixes of names in XPath and what they stand for. */
export type Namespaces = Readonly<Record<string, string>>

// The types of the package bring those of a browser with them.
type Evaluate = {
  (expression: string, node: unknown, ...others: unknown[]): unknown[]
  ALL_RESULTS_TYPE: unknown
}
type Packages = [{ evaluateXPath: Evaluate }, typeof Slimdom]

/** Reads XML: well-formed, without anything from elsewhere, entities bounded. Throws what is wrong with it. */
export function parseXml(text: string): object {
  const [, { parseXmlDocument }] = loadPackages('xpath') as Packages
  try {
    return parseXmlDocument(text)
  } catch (error) {
    // Its message goes on with an excerpt and a pointer.
    const [what = '', where = ''] = (error as Error).message.split('\n')
    const place = where.replace(/:$/, '').toLowerCase()
    throw new Error(`${what.replace('Parsing document failed, ', '')} ${place}`.trim(), { cause: error })
  }
}

/** What an expression finds in a document, as text. Throws when it cannot be evaluated. */
export function selectXpath(document: unknown, expression: string, namespaces: Namespaces): string[] {
  const [{ evaluateXPath }] = loadPackages('xpath') as Packages
  const namespaceResolver = (prefix: string): string | null =>
    Object.hasOwn(namespaces, prefix) ? (namespaces[prefix] as string) : null
  const found = evaluateXPath(expression, document, null, {}, evaluateXPath.ALL_RESULTS_TYPE, {
    namespaceResolver,
  })
  return found.map(readText)
}

/** Says why an expression found nothing in a document: names without a prefix have no namespace, or one is misspelt. */
export function hintEmpty(document: object, text: string, expression: string): string {
  const namespace = (document as Slimdom.Document).documentElement?.namespaceURI ?? ''
  const words = expression.replaceAll(/'[^']*'|"[^"]*"|[\w-]+::|[\w-]+\(|\b(?:and|or)\b/g, ' ')
  const names = words.match(/@?[a-z_][\w.:-]*/gi) ?? []
  if (namespace !== '' && names.some((name) => !/[@:]/.test(name)))
    return `: its root has the namespace \`${namespace}\`, and names without a prefix have none; see \`xml_namespaces\``
  const tags = text.matchAll(/<(?:[\w-]+:)?([\w-]+)|\s(?:[\w-]+:)?([\w-]+)=["']/g)
  const there = [...new Set(tags.map(([, element, attribute]) => (element ?? attribute) as string))]
  const absent = names.map((name) => name.replace(/.*[@:]/, '')).filter((name) => !there.includes(name))
  return absent.map((name) => (findTypo(name, there) ? didYouMean(name, there) : '')).find(Boolean) ?? ''
}

/** Attributes as they are, elements without the space around their text. */
function readText(found: unknown): string {
  if (typeof found !== 'object' || found === null) return String(found)
  const { documentElement } = found as { documentElement?: { textContent?: unknown } }
  const { value, textContent } = (documentElement ?? found) as { value?: unknown; textContent?: unknown }
  if (typeof value === 'string') return value
  return typeof textContent === 'string' ? textContent.trim() : JSON.stringify(found)
}

/** Says why an expression could never be evaluated, whatever the document, or never fails a check by this operator. */
export function explainBadXpath(expression: string, names: Namespaces, operator = ''): string | undefined {
  const [, { Document }] = loadPackages('xpath') as Packages
  if (expression.trim() === '') return 'it is empty'
  try {
    const { length } = selectXpath(new Document(), expression, names)
    return length > 0 && operator === 'exists' ? '`exists` is true in every document; compare it' : undefined
  } catch (error) {
    const { message, position } = error as Error & { position?: { start: { offset: number } } }
    const rest = expression.slice(position?.start.offset)
    if (message.includes('Failed to parse script') && position)
      return rest === '' ? 'it ends too early' : `it cannot be read from \`${rest}\` on`
    const prefix = /The prefix (\S*) could not/.exec(message)?.[1]
    if (prefix !== undefined)
      return `the prefix \`${prefix}\` is not known: say in the suite what it stands for, \`xml_namespaces: { ${prefix}: … }\``
    // XPST: static errors. Others depend on the document.
    return /XPST\d+[:,]? (.*)/.exec(message)?.[1]?.slice(0, 120).replace(/\.$/, '')
  }
}
