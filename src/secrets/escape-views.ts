/** A text with its escapes undone; `locate` tells where one of its offsets stood in the text it was made of. */
export type EscapeView = { text: string; locate: (at: number) => number }

const utf8 = '%[0-7][\\da-f]|%[c-f][\\da-f](?:%[89ab][\\da-f]){1,3}'
const octal = '\\\\[01][0-7]{2}|\\\\3[0-7]{2}(?:\\\\2[0-7]{2}){1,3}'
const escapes = new RegExp(
  `${utf8}|'\\\\''|${octal}|\\\\(?:u[\\da-f]{4}|x[\\da-f]{2}|[^])|&(?:amp|lt|gt|quot|apos|#\\d{1,6}|#x[\\da-f]{1,5});|%%`,
  'gi',
)
const escapesAndPlus = new RegExp(`\\+|${escapes.source}`, 'gi')

/** Layers of escapes that are looked behind: an echo of a webhook's payload has four. */
const mostLayers = 5

/**
 * Reads a text as URLs, JSON, XML and POSIX shells would, whichever of its characters were escaped: writers differ in what they
 * escape. One view for each layer of escapes; those with `plus` read plus signs as spaces. None when there is nothing to undo.
 */
export function listViews(text: string, plus: boolean): EscapeView[] {
  const views: EscapeView[] = []
  let view: EscapeView = { text, locate: (at) => at }
  for (let layer = 0; layer < mostLayers; layer += 1) {
    const inner = undoEscapes(view, plus && layer === 0 ? escapesAndPlus : escapes)
    if (!inner) break
    views.push(inner)
    view = inner
  }
  return views
}

function undoEscapes(outer: EscapeView, escapes: RegExp): EscapeView | undefined {
  const { text } = outer
  if (!text.includes('\\') && !text.includes('%') && !text.includes('&') && escapes !== escapesAndPlus)
    return undefined
  // Where escapes stood in the new text, and how much shorter it is up to them.
  const places: number[] = []
  const shorter: number[] = []
  let saved = 0
  const undone = text.replaceAll(escapes, (escape, at: number) => {
    const plain = readEscape(escape)
    places.push(at - saved)
    saved += escape.length - plain.length
    shorter.push(saved)
    return plain
  })
  if (undone === text) return undefined
  const locate = (at: number): number => {
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((places[middle] as number) < at) low = middle + 1
      else high = middle
    }
    return outer.locate(at + (shorter[low - 1] ?? 0))
  }
  return { text: undone, locate }
}

const named: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '\\n': '\n',
  '\\r': '\r',
  '\\t': '\t',
  '\\b': '\b',
  '\\f': '\f',
  "'\\''": "'",
  '%%': '%',
  '+': ' ',
}

function readEscape(escape: string): string {
  const known = named[escape.startsWith('&') ? escape.toLowerCase() : escape]
  if (known !== undefined) return known
  if (escape.startsWith('%')) return readBytes(escape, '%', 16)
  if (escape.startsWith('&')) {
    const code = /^&#x/i.test(escape)
      ? Number.parseInt(escape.slice(3), 16)
      : Number.parseInt(escape.slice(2), 10)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : escape
  }
  if (/^\\[ux]./i.test(escape)) return String.fromCharCode(Number.parseInt(escape.slice(2), 16))
  return /^\\\d/.test(escape) && escape.length > 2 ? readBytes(escape, '\\', 8) : escape.slice(1)
}

/** Bytes of one UTF-8 character; escapes that are none stay. */
function readBytes(escape: string, sign: string, radix: number): string {
  const bytes = escape
    .split(sign)
    .slice(1)
    .map((digits) => Number.parseInt(digits, radix))
  const plain = Buffer.from(bytes).toString('utf8')
  return plain.includes('\ufffd') && escape.toLowerCase() !== '%ef%bf%bd' ? escape : plain
}
