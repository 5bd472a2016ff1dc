import { loadOptional } from '../../interpolation/load-optional.ts'

/** How a place in XML or HTML is named. */
export type Language = 'xpath' | 'css'

/** The languages, with the optional packages that each needs. */
export const languages: Readonly<Record<Language, readonly string[]>> = {
  xpath: ['fontoxpath', 'slimdom'],
  css: ['css-select', 'htmlparser2'],
}

/** Loads the packages of a language; throws an error that says how to install those that are not there. */
export function loadPackages(language: Language): unknown[] {
  const loaded = languages[language].map(loadOptional)
  if (!loaded.includes(undefined)) return loaded
  const names = languages[language]
  throw new Error(
    `\`${language}\` needs the packages ${names.map((name) => `\`${name}\``).join(' and ')}: run \`npm install --save-dev ${names.join(' ')}\``,
  )
}
