/** An absolute address, or a path, with parameters in its query or fragment (RFC 3986, 3.4 and 3.5). */
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:\/\/|\/)[^\s?#"<>]*[?#]([^\s"<>]*)$/i

/** Longer texts are no addresses. */
const LONGEST = 4096

/** How many addresses are looked for within each other. */
const DEEPEST = 3

/** The parameters of an address, decoded, and those of addresses that they hold; none of any other text. */
export function* listParameters(text: string, depth = 1): Generator<[name: string, value: string]> {
  // Most texts are told from their length, or from their first letters.
  const found = text.length <= LONGEST && text.includes('=') ? ADDRESS.exec(text)?.[1] : undefined
  if (found === undefined) return
  for (const [name, value] of new URLSearchParams(found.replaceAll(/[?#]/g, '&'))) {
    yield [name, value]
    if (depth < DEEPEST) yield* listParameters(value, depth + 1)
  }
}
