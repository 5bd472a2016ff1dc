import type * as CssSelect from 'css-select'
import type * as Htmlparser from 'htmlparser2'
import { messageOf } from '../../errors.ts'
import { didYouMean, findTypo } from '../../text/suggest.ts'
import { hintTypo, loadPackages, type Select } from './languages.ts'

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
    if (values.length > 0) return { values }
    const names = selector.replaceAll(/::?[\w-]+/g, ' ')
    if (!xmlMode)
      return { values, hint: hintTypo(text.toLowerCase(), names.toLowerCase()) || hintMark(text, names) }
    return { values, hint: hintPrefix(text, names) || hintTypo(text, names) }
  }
}

/** Suggests a class or id for one that is misspelt, or for a name that lacks its dot. */
function hintMark(text: string, names: string): string {
  const attributes = text.matchAll(/\s(class|id)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi)
  const marks = attributes.flatMap(([, name = '', ...values]) => {
    const words = values.join('').split(/\s+/).filter(Boolean)
    return words.map((word) => (name.toLowerCase() === 'id' ? '#' : '.') + word)
  })
  const there = [...new Set(marks)]
  const isThere = (mark: string): boolean =>
    there.includes(mark) || new RegExp(`<${mark}[\\s/>]`, 'i').test(text)
  const asked = names.replaceAll(/\[[^\]]*\]/g, ' ').match(/[.#]?[a-z_][\w-]*/gi)
  const misspelt = asked?.find((mark) => !isThere(mark) && findTypo(mark, there, 6))
  return misspelt === undefined ? '' : didYouMean(misspelt, there)
}

/** Names an element that the response has only with a prefix, which is part of its name in CSS. */
function hintPrefix(text: string, names: string): string {
  const has = (pattern: string): boolean => new RegExp(`<${pattern}[\\s/>]`).test(text)
  const plain = names.match(/(?<![\w[.#-])[a-z_][\w-]*/gi) ?? []
  const name = plain.find((one) => !has(one) && has(`[\\w-]+:${one}`))
  return name === undefined ? '' : `: in the response, \`${name}\` has a prefix; write \`prefix\\:${name}\``
}

export function explainBadCss(selector: string): string | undefined {
  const [{ compile }] = loadPackages('css') as Packages
  const plain = selector.replace(ATTRIBUTE, '')
  const asked = /\/?@([\w:.-]+)\s*$/.exec(plain)?.[1]
  if (asked !== undefined) return `for the value of an attribute, write \`::attr(${asked})\` at the end`
  return plain.trim() === '' ? 'it is empty' : messageOf(() => compile(plain))
}
