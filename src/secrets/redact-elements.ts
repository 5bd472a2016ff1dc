import { isHidden, isReference, isSecret, mask, type NameJudge } from './secret-names.ts'

/** The start of an element that holds text only, and the text. Its name counts without a prefix. */
const element = /(<((?:[\w-]+:)?([\w.-]+))(?:\s[^<>]{0,1000})?>)([^<]+)(?=<\/\2\s*>)/g

/** Hides the texts of elements of XML or HTML with secret names: `<password>…</password>`. `onHidden` is told what was hidden. */
export function redactElements(
  text: string,
  judge: NameJudge,
  onHidden?: (value: string, name: string) => void,
): string {
  if (!text.includes('</')) return text
  let result = ''
  let done = 0
  for (const match of text.matchAll(element)) {
    const [whole, start = '', , name = '', content = ''] = match
    const secret = judge(name)
    const value = content.trim()
    if (!isSecret(secret) || value === '' || value === mask || isReference(value) || !isHidden(value, secret))
      continue
    result += text.slice(done, match.index) + start + mask
    done = match.index + whole.length
    onHidden?.(value, name)
  }
  return done === 0 ? text : result + text.slice(done)
}
