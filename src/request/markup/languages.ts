import { loadOptional } from '../../interpolation/load-optional.ts'

/** A query language for XML or HTML. */
export type Language = 'xpath' | 'css'

/** The optional packages each language needs. */
export const languages: Readonly<Record<Language, readonly string[]>> = {
  xpath: ['fontoxpath', 'slimdom'],
  css: ['css-select', 'htmlparser2'],
}

/** Loads the packages of a language; throws an error that says how to install missing ones. */
export function loadPackages(language: Language): unknown[] {
  const loaded = languages[language].map(loadOptional)
  if (!loaded.includes(undefined)) return loaded
  const names = languages[language]
  throw new Error(
    `\`${language}\` needs the packages ${names.map((name) => `\`${name}\``).join(' and ')}: run \`npm install --save-dev ${names.join(' ')}\``,
  )
}
