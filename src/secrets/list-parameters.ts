/** An absolute URL, or a path, with parameters in its query or fragment (RFC 3986, 3.4 and 3.5). */
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:\/\/|\/)[^\s?#"<>]*[?#]([^\s"<>]*)$/i

/** Texts longer than this, in characters, are not taken for URLs. */
const LONGEST = 4096

/** The decoded parameters of a URL, and those of URLs in their values; nothing for any other text. */
export function* listParameters(text: string): Generator<[name: string, value: string]> {
  // Most texts are ruled out by their length or their first letters.
  const found = text.length <= LONGEST && text.includes('=') ? ADDRESS.exec(text)?.[1] : undefined
  if (found === undefined) return
  for (const [name, value] of new URLSearchParams(found.replaceAll(/[?#]/g, '&'))) {
    yield [name, value]
    yield* listParameters(value)
  }
}
