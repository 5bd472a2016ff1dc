import { findAtMost } from '../source.ts'

/** A text with its escapes undone; `locate` maps an offset in it to one in the original text. */
export type EscapeView = { text: string; locate: (at: number) => number }

const utf8 = '%[0-7][\\da-f]|%[c-f][\\da-f](?:%[89ab][\\da-f]){1,3}'
const octal = '\\\\[01][0-7]{2}|\\\\3[0-7]{2}(?:\\\\2[0-7]{2}){1,3}'
const backslashes = `'\\\\''|\\\\(?='\\\\'')|${octal}|\\\\(?:u[\\da-f]{4}|x[\\da-f]{2}|[bfnrt"'\\\\/.*+?^$(){}[\\]|-])`
const entities = '&(?:amp|lt|gt|quot|apos|#\\d{1,6}|#x[\\da-f]{1,5});'
const percents = `${utf8}|%%`
const [escapes, escapesAndPlus, ...kinds] = [
  `${utf8}|${backslashes}|${entities}|%%`,
  `\\+|${utf8}|${backslashes}|${entities}|%%`,
  percents,
  `\\+|${percents}`,
  backslashes,
  entities,
].map((source) => new RegExp(source, 'gi')) as [RegExp, RegExp, ...RegExp[]]

/** The most layers to undo: an echoed webhook has four, five in a URL, and secrets may have some too. */
const mostLayers = 6

/**
 * Undoes the escapes of URLs, JSON, XML, POSIX shells and regular expressions, whichever characters a writer
 * escaped. Returns a view per layer of escapes. `plus`: also views in which the plus signs of a layer are
 * spaces. `isApart`: also views that undo one kind of escape only, for texts with escapes of their own.
 */
export function listViews(text: string, plus: boolean, isApart = false): EscapeView[] {
  const views = undoLayers(text, plus ? [escapes, escapesAndPlus] : [escapes])
  return isApart ? [...views, ...undoLayers(text, kinds)] : views
}

function undoLayers(text: string, escapesOfLayer: readonly RegExp[]): EscapeView[] {
  const views: EscapeView[] = []
  const seen = new Set([text])
  let layer: EscapeView[] = [{ text, locate: (at) => at }]
  for (let layers = mostLayers; layers > 0; layers -= 1) {
    layer = layer.flatMap((view) => {
      // Most texts have no plus sign; for them, the second pattern would only repeat the work of the first.
      const kinds = escapesOfLayer.filter((kind) => kind !== escapesAndPlus || view.text.includes('+'))
      return kinds.map((kind) => undoEscapes(view, kind))
    })
    layer = layer.filter((view) => !seen.has(view.text) && seen.add(view.text))
    views.push(...layer)
  }
  return views
}

function undoEscapes(outer: EscapeView, escapes: RegExp): EscapeView {
  const { text } = outer
  // The offsets of the escapes in the new text, and how much shorter the text is after each of them.
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
  return { text: undone, locate: (at) => outer.locate(at + (shorter[findAtMost(places, at - 1)] ?? 0)) }
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
  // Before `'\''`, which belongs to an outer layer.
  '\\': '\\',
  '%%': '%',
  '+': ' ',
}

function readEscape(escape: string): string {
  const known = named[escape.startsWith('&') ? escape.toLowerCase() : escape]
  if (known !== undefined) return known
  if (escape.startsWith('%')) return readBytes(escape, '%', 16)
  if (escape.startsWith('&')) return String.fromCodePoint(Number(`0${escape.slice(2, -1)}`))
  if (/^\\[ux]./i.test(escape)) return String.fromCharCode(Number.parseInt(escape.slice(2), 16))
  return /^\\\d/.test(escape) && escape.length > 2 ? readBytes(escape, '\\', 8) : escape.slice(1)
}

/** Decodes the bytes of one UTF-8 character; invalid ones stay escaped. */
function readBytes(escape: string, sign: string, radix: number): string {
  const bytes = escape
    .split(sign)
    .slice(1)
    .map((digits) => Number.parseInt(digits, radix))
  const plain = Buffer.from(bytes).toString('utf8')
  return plain.includes('\ufffd') && escape.toLowerCase() !== '%ef%bf%bd' ? escape : plain
}
