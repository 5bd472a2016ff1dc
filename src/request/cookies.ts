import { messageOf } from '../errors.ts'
import type { HeaderLines, SentRequest } from './exchange.ts'

/** Cookies of one suite, kept as a browser does (RFC 6265). */
export type CookieJar = ReturnType<typeof createCookieJar>

/** Creates an empty jar; loads tough-cookie on first use. */
export function createCookieJar() {
  let loading: Promise<import('tough-cookie').CookieJar> | undefined
  const options = { prefixSecurity: 'strict' } as const
  const open = () => (loading ??= import('tough-cookie').then((it) => new it.CookieJar(null, options)))
  return {
    /** Value of the `cookie` header for a URL; empty if no cookie applies. */
    header: async (url: string): Promise<string> => (await open()).getCookieStringSync(url),
    /** Stores the cookies of `set-cookie` lines; returns a sentence for each one a browser would reject. */
    async store(url: string, setCookieLines: readonly string[]): Promise<string[]> {
      const jar = await open()
      return setCookieLines.flatMap((line) => {
        // Drops advice meant for programmers.
        const problem = messageOf(() => jar.setCookieSync(line, url))?.replace(/ To allow this, .*/s, '')
        const name = line.split('=')[0]?.trim() ?? ''
        return problem === undefined ? [] : `The cookie \`${name}\` of ${url} was refused: ${problem}`
      })
    },
  }
}

/** The request with the cookies the jar has for it. */
export async function addJarCookies<Request extends Pick<SentRequest, 'url' | 'headers'>>(
  request: Request,
  jar: CookieJar,
): Promise<Request> {
  return { ...request, headers: addCookies(request.headers, await jar.header(request.url)) }
}

/** Header lines with cookies added to the author's own. */
export function addCookies(headers: HeaderLines, cookies: string): HeaderLines {
  if (cookies === '') return headers
  const at = headers.findIndex(([name]) => name.toLowerCase() === 'cookie')
  const own = headers[at]
  if (own === undefined) return [...headers, ['cookie', cookies]]
  return headers.with(at, [own[0], `${own[1]}; ${cookies}`])
}
