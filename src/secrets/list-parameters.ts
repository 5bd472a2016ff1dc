/** An absolute URL, or a path, with parameters in its query or fragment (RFC 3986, 3.4 and 3.5). */
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:\/\/|\/)[^\s?#"<>]*[?#]([^\s"<>]*)$/i

/** Texts longer than this, in characters, are not taken for URLs. */
const LONGEST = 4096

type Parameter = readonly [name: string, value: string]

const NONE: readonly Parameter[] = []

/** The decoded parameters of a URL, and those of URLs in their values; none for any other text. */
export function listParameters(text: string): readonly Parameter[] {
  // The length and the `=` rule out most texts.
  const found = text.length <= LONGEST && text.includes('=') ? ADDRESS.exec(text)?.[1] : undefined
  if (found === undefined) return NONE
  const parameters: Parameter[] = []
  for (const parameter of new URLSearchParams(found.replaceAll(/[?#]/g, '&')))
    parameters.push(parameter, ...listParameters(parameter[1]))
  return parameters
}
