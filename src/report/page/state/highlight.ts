/** A piece of text with the kind it is shown in. */
export type Token = { kind: 'key' | 'string' | 'number' | 'word' | 'note' | 'plain'; text: string }

type Grammar = [pattern: RegExp, kinds: readonly Token['kind'][]]

const number = String.raw`-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b`
const word = String.raw`\b(?:true|false|null)\b`

/** One group for each kind. */
const grammars = {
  json: [
    new RegExp(String.raw`("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*")|(${number})|(${word})`, 'g'),
    ['key', 'string', 'number', 'word'],
  ],
  yaml: [
    new RegExp(
      String.raw`(^\s*#.*|\s#\s.*)|(\{\{.*?\}\})|((?<=^[\s-]*|[{,]\s*)[\w$"'.[\]*-]+(?=:(?:\s|$)))|("(?:[^"\\]|\\.)*"|'[^']*')|((?<=[:[,\s-]\s?)${number}(?=[\s,\]}]|$))|(${word})`,
      'gm',
    ),
    ['note', 'word', 'key', 'string', 'number', 'word'],
  ],
} satisfies Record<string, Grammar>

const longest = 131_072

/** Splits text into tokens for colouring; what is longer than 128 KiB stays plain. */
export function tokenise(text: string, language: keyof typeof grammars): Token[] {
  if (text.length > longest) return [{ kind: 'plain', text }]
  const [pattern, kinds] = grammars[language] as Grammar
  const tokens: Token[] = []
  let done = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > done) tokens.push({ kind: 'plain', text: text.slice(done, match.index) })
    const group = match.findIndex((part, index) => index > 0 && part !== undefined)
    tokens.push({ kind: kinds[group - 1] ?? 'plain', text: match[0] })
    done = match.index + match[0].length
  }
  if (done < text.length) tokens.push({ kind: 'plain', text: text.slice(done) })
  return tokens
}
