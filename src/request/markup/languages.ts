import { loadOptional } from '../../interpolation/load-optional.ts'
import { didYouMean, findTypo } from '../../text/suggest.ts'

export type Language = 'xpath' | 'css'

export type Namespaces = Readonly<Record<string, string>>

/** Finds texts in a document; `hint` may say why there are none. Throws if the search is not possible. */
export type Select = (expression: string, namespaces: Namespaces) => { values: string[]; hint?: string }

const languages: Readonly<Record<Language, readonly string[]>> = {
  xpath: ['fontoxpath', 'slimdom'],
  css: ['css-select', 'htmlparser2'],
}

/** Matches an expression that ends in an attribute. */
export const readsAttribute: RegExp = /(?:::attr\(.*\)|@[\w:.-]+)\s*$/

/** Loads the packages of a language; throws an error that says how to install missing ones. */
export function loadPackages(language: Language): unknown[] {
  const names = languages[language]
  const loaded = names.map(loadOptional)
  if (!loaded.includes(undefined)) return loaded
  throw new Error(
    `\`${language}\` needs the packages ${names.map((name) => `\`${name}\``).join(' and ')}: run \`npm install --save-dev ${names.join(' ')}\``,
  )
}

/** Suggests a name for one in an expression that misspells one of the document; empty if there is none. */
export function hintTypo(text: string, expression: string): string {
  const tags = text.matchAll(/<(?:[\w-]+:)?([\w-]+)|\s(?:[\w-]+:)?([\w-]+)=["']/g)
  const there = [...new Set(tags.map(([, element, attribute]) => (element ?? attribute) as string))]
  // Quoted texts, classes, ids, and functions are no such names.
  const names = expression.replaceAll(/'[^']*'|"[^"]*"|[.#][\w-]+|[\w-]+\(/g, ' ').match(/[a-z_][\w-]*/gi)
  const misspelt = names?.find((name) => !there.includes(name) && findTypo(name, there))
  return misspelt === undefined ? '' : didYouMean(misspelt, there)
}
