import { messageOf } from '../../errors.ts'

/** Longer texts are not searched for what the parser gives no place of. */
const longestSearched = 5_000_000

/** What a character cannot follow is told at its start: a word, number or escape. */
const broken =
  /^Unexpected (?:token|number|string)|after minus|fractional number|Exponent part|^Bad (?:escaped|Unicode)/
const begun = /(?:\\(?:u[\da-f]*)?|[-.]|[-.]?e[-+]?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/i

/**
 * Where a text stops being JSON, by what `JSON.parse` says of it: the offset of the first character that cannot be (of a wrong
 * word or escape its start), the text's length when it ends too early, or undefined when that cannot be told.
 */
export function locateJsonError(text: string, message: string): number | undefined {
  const at = message.endsWith('is not valid JSON') ? findPlace(text) : readPlace(message, text.length)
  if (at === undefined || at === text.length || !broken.test(message)) return at
  return at - (begun.exec(text.slice(Math.max(0, at - 6), at))?.[0].length ?? 0)
}

function readPlace(message: string, length: number): number | undefined {
  if (message === 'Unexpected end of JSON input') return length
  const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1]
  return position === undefined ? undefined : Number(position)
}

/** Halves the text: a start of it that ends before the wrong character is whole or ends too early. */
function findPlace(text: string): number | undefined {
  if (text.length > longestSearched) return undefined
  let [low, high] = [0, text.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const message = messageOf(() => JSON.parse(text.slice(0, middle)))
    if (message === undefined || readPlace(message, middle) === middle) low = middle
    else high = middle
  }
  return low
}
