import type * as CssSelect from 'css-select'
import type * as Htmlparser from 'htmlparser2'
import { messageOf } from '../../errors.ts'
import { loadPackages } from './languages.ts'

type Element = ReturnType<typeof Htmlparser.parseDocument> & { attribs: Record<string, string> }
type Packages = [typeof CssSelect, typeof Htmlparser]

/** Parses HTML roughly as browsers do, or XML; never fails. */
export function parseHtml(text: string, xmlMode: boolean): object {
  const [, { parseDocument }] = loadPackages('css') as Packages
  return parseDocument(text, { xmlMode })
}

// Selects an attribute's value, as in other tools; CSS itself cannot.
const ATTRIBUTE = /::attr\(\s*([\w:.-]+)\s*\)\s*$/

/** Texts of the elements a selector finds, trimmed and with whitespace collapsed; if it ends in `::attr(name)`, their attribute values. */
export function selectCss(document: object, selector: string, xmlMode: boolean): string[] {
  const [{ selectAll }, { DomUtils }] = loadPackages('css') as Packages
  // The parser writes names of HTML in lower case.
  const attribute = ATTRIBUTE.exec(xmlMode ? selector : selector.toLowerCase())?.[1]
  const elements = selectAll(selector.replace(ATTRIBUTE, ''), document as Element, { xmlMode })
  if (attribute === undefined)
    return elements.map((element) => DomUtils.textContent(element).replace(/\s+/g, ' ').trim())
  const having = elements.filter(({ attribs }) => Object.hasOwn(attribs, attribute))
  return having.map(({ attribs }) => attribs[attribute] as string)
}

/** Explains why a selector is invalid; undefined if it is not. */
export function explainBadCss(selector: string): string | undefined {
  const [{ compile }] = loadPackages('css') as Packages
  const plain = selector.replace(ATTRIBUTE, '')
  const asked = /\/?@([\w:.-]+)\s*$/.exec(plain)?.[1]
  if (asked !== undefined) return `the value of an attribute is \`::attr(${asked})\` at its end`
  return plain.trim() === '' ? 'it is empty' : messageOf(() => compile(plain))
}
