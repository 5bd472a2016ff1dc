import { didYouMean, findTypo } from '../../text/suggest.ts'

/** Names of the elements and attributes of a document, without their prefixes. */
export function listTags(text: string): string[] {
  const tags = text.matchAll(/<(?:[\w-]+:)?([\w-]+)|\s(?:[\w-]+:)?([\w-]+)=["']/g)
  return [...new Set(tags.map(([, element, attribute]) => (element ?? attribute) as string))]
}

/** A hint at the first of these names that is not there, but is misspelt. */
export function hintTypo(there: readonly string[], names: readonly string[]): string {
  const absent = names.filter((name) => !there.includes(name))
  return absent.map((name) => (findTypo(name, there) ? didYouMean(name, there) : '')).find(Boolean) ?? ''
}
