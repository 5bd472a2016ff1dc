import { messageOf } from '../errors.ts'
import type { HeaderLines, SentRequest } from './exchange.ts'

/** Cookies of one suite, as a browser keeps them (RFC 6265). */
export type CookieJar = {
  /** Value of the `cookie` header for a URL, empty when no cookie applies. */
  header(url: string): Promise<string>
  /** Keeps the cookies of `set-cookie` lines; hands back a sentence for each one that a browser would refuse. */
  store(url: string, setCookieLines: readonly string[]): Promise<string[]>
}

/** Creates an empty jar; tough-cookie is loaded when the jar is first used. */
export function createCookieJar(): CookieJar {
  let loading: Promise<import('tough-cookie').CookieJar> | undefined
  const options = { prefixSecurity: 'strict' } as const
  const open = () => (loading ??= import('tough-cookie').then((it) => new it.CookieJar(null, options)))
  return {
    header: async (url) => (await open()).getCookieStringSync(url),
    async store(url, setCookieLines) {
      const jar = await open()
      return setCookieLines.flatMap((line) => {
        // Without its advice to programmers.
        const problem = messageOf(() => jar.setCookieSync(line, url))?.replace(/ To allow this, .*/s, '')
        const name = line.split('=')[0]?.trim() ?? ''
        return problem === undefined ? [] : `The cookie \`${name}\` of ${url} was refused: ${problem}`
      })
    },
  }
}

/** A request with the cookies that a jar has for it. */
export async function addJarCookies<Request extends Pick<SentRequest, 'url' | 'headers'>>(
  request: Request,
  jar: CookieJar,
): Promise<Request> {
  return { ...request, headers: addCookies(request.headers, await jar.header(request.url)) }
}

/** Header lines with further cookies added to the author's own. */
export function addCookies(headers: HeaderLines, cookies: string): HeaderLines {
  if (cookies === '') return headers
  const at = headers.findIndex(([name]) => name.toLowerCase() === 'cookie')
  const own = headers[at]
  if (own === undefined) return [...headers, ['cookie', cookies]]
  return headers.with(at, [own[0], `${own[1]}; ${cookies}`])
}
