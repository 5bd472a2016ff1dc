import type * as CssSelect from 'css-select'
import type * as Htmlparser from 'htmlparser2'
import { messageOf } from '../../errors.ts'
import { loadPackages } from './languages.ts'

type Element = ReturnType<typeof Htmlparser.parseDocument> & { attribs: Record<string, string> }
type Packages = [typeof CssSelect, typeof Htmlparser]

/** Reads HTML as browsers do, roughly, or XML; never fails. */
export function parseHtml(text: string, xmlMode: boolean): object {
  const [, { parseDocument }] = loadPackages('css') as Packages
  return parseDocument(text, { xmlMode })
}

// As in other tools: the value of an attribute, which CSS itself cannot name.
const ATTRIBUTE = /::attr\(\s*([\w:.-]+)\s*\)\s*$/

/** Texts of the elements that a selector finds, without the space around and with one blank for each space inside; with `::attr(name)` at its end their attributes. */
export function selectCss(document: object, selector: string, xmlMode: boolean): string[] {
  const [{ selectAll }, { DomUtils }] = loadPackages('css') as Packages
  const attribute = ATTRIBUTE.exec(selector)?.[1]
  const elements = selectAll(selector.replace(ATTRIBUTE, ''), document as Element, { xmlMode })
  if (attribute === undefined)
    return elements.map((element) => DomUtils.textContent(element).replace(/\s+/g, ' ').trim())
  return elements.flatMap(({ attribs }) =>
    Object.hasOwn(attribs, attribute) ? [attribs[attribute] as string] : [],
  )
}

/** Says why a selector could never be used. */
export function explainBadCss(selector: string): string | undefined {
  const [{ compile }] = loadPackages('css') as Packages
  const plain = selector.replace(ATTRIBUTE, '')
  const asked = /\/?@([\w:.-]+)\s*$/.exec(plain)?.[1]
  if (asked !== undefined) return `the value of an attribute is \`::attr(${asked})\` at its end`
  return plain.trim() === '' ? 'it is empty' : messageOf(() => compile(plain))
}
