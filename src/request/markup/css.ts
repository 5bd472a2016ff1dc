import type * as CssSelect from 'css-select'
import type * as Htmlparser from 'htmlparser2'
import { messageOf } from '../../errors.ts'
import { hintTypo, listTags, loadPackages, type Select } from './languages.ts'

type Element = ReturnType<typeof Htmlparser.parseDocument> & { attribs: Record<string, string> }
type Packages = [typeof CssSelect, typeof Htmlparser]

// Selects the value of an attribute, as in other tools: CSS itself has no syntax for it.
const ATTRIBUTE = /::attr\(\s*([\w:.-]+)\s*\)\s*$/

/** Parses HTML or XML leniently. Selectors find trimmed texts or, with `::attr(name)`, attribute values. */
export function openCss(text: string, xmlMode: boolean): Select {
  const [{ selectAll }, { DomUtils, parseDocument }] = loadPackages('css') as Packages
  const document = parseDocument(text, { xmlMode }) as Element
  return (selector) => {
    // The parser writes names of HTML in lower case.
    const attribute = ATTRIBUTE.exec(xmlMode ? selector : selector.toLowerCase())?.[1]
    const elements = selectAll(selector.replace(ATTRIBUTE, ''), document, { xmlMode })
    const values = elements.flatMap((element) => {
      if (attribute === undefined) return DomUtils.textContent(element).replace(/\s+/g, ' ').trim()
      return Object.hasOwn(element.attribs, attribute) ? (element.attribs[attribute] as string) : []
    })
    return values.length > 0 ? { values } : { values, hint: hintNoMatch(text, selector, xmlMode) }
  }
}

// Values, and what only looks like a name: classes, ids, pseudo-classes.
const NO_NAMES = /=[^\]]*|[.#][\w-]+|:(?:nth|lang|dir|\w*contains)[\w-]*\([^)]*|::?[\w-]+/gi

/** Explains why a selector found nothing: `tbody`, a namespace prefix, or a misspelt name. May be empty. */
function hintNoMatch(text: string, selector: string, xmlMode: boolean): string {
  if (/\btbody\b/i.test(selector) && !/<tbody\b/i.test(text))
    return ': the response has no `tbody` element, which only browsers add'
  const words = selector.replaceAll(NO_NAMES, ' ')
  const names = words.match(/(?<![\w-])[a-z_][\w-]*/gi) ?? []
  for (const [name] of xmlMode ? words.matchAll(/(?<![\w[-])[a-z_][\w-]*/gi) : []) {
    const [, prefix] = new RegExp(`<([\\w-]+):${name}[\\s/>]`).exec(text) ?? []
    if (prefix && !new RegExp(`<${name}[\\s/>]`).test(text))
      return `: in the response, it is \`${prefix}\\:${name}\``
  }
  if (xmlMode) return hintTypo(listTags(text), names)
  // These two are not misspellings of `head` and `frame`.
  const plain = names.map((name) => name.toLowerCase()).filter((name) => !/^(?:thead|iframe)$/.test(name))
  return hintTypo(listTags(text.toLowerCase()), plain)
}

/** Explains why a selector is invalid; undefined if it is not. */
export function explainBadCss(selector: string): string | undefined {
  const [{ compile }] = loadPackages('css') as Packages
  const plain = selector.replace(ATTRIBUTE, '')
  const asked = /\/?@([\w:.-]+)\s*$/.exec(plain)?.[1]
  if (asked !== undefined) return `for the value of an attribute, write \`::attr(${asked})\` at the end`
  return plain.trim() === '' ? 'it is empty' : messageOf(() => compile(plain))
}
