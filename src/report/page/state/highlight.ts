/** A piece of text with the kind it is shown in. */
export type Token = { kind: 'key' | 'string' | 'number' | 'word' | 'plain'; text: string }

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g

const longest = 131_072

/** Splits JSON text into tokens for colouring; what is longer than 128 KiB stays plain. */
export function tokenise(json: string): Token[] {
  if (json.length > longest) return [{ kind: 'plain', text: json }]
  const tokens: Token[] = []
  let done = 0
  for (const match of json.matchAll(token)) {
    if (match.index > done) tokens.push({ kind: 'plain', text: json.slice(done, match.index) })
    tokens.push({ kind: kindOf(match[0], match[1], match[2]), text: match[1] ?? match[0] })
    if (match[2]) tokens.push({ kind: 'plain', text: match[2] })
    done = match.index + match[0].length
  }
  if (done < json.length) tokens.push({ kind: 'plain', text: json.slice(done) })
  return tokens
}

function kindOf(text: string, quoted: string | undefined, colon: string | undefined): Token['kind'] {
  if (quoted !== undefined) return colon ? 'key' : 'string'
  return /^[tfn]/.test(text) ? 'word' : 'number'
}
