import { loadOptional } from '../../interpolation/load-optional.ts'

export type Language = 'xpath' | 'css'

export type Namespaces = Readonly<Record<string, string>>

/** Finds texts in a document; `hint` may say why there are none. Throws if the search is not possible. */
export type Select = (expression: string, namespaces: Namespaces) => { values: string[]; hint?: string }

const languages: Readonly<Record<Language, readonly string[]>> = {
  xpath: ['fontoxpath', 'slimdom'],
  css: ['css-select', 'htmlparser2'],
}

/** Loads the packages of a language; throws an error that says how to install missing ones. */
export function loadPackages(language: Language): unknown[] {
  const names = languages[language]
  const loaded = names.map(loadOptional)
  if (!loaded.includes(undefined)) return loaded
  throw new Error(
    `\`${language}\` needs the packages ${names.map((name) => `\`${name}\``).join(' and ')}: run \`npm install --save-dev ${names.join(' ')}\``,
  )
}
