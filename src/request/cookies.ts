import { messageOf } from '../errors.ts'
import { listHeader, type HeaderLines, type SentRequest } from './exchange.ts'

export type CookieJar = ReturnType<typeof createCookieJar>

export function createCookieJar() {
  let loading: ReturnType<typeof load> | undefined
  const options = { prefixSecurity: 'strict' } as const
  const load = async () => {
    const { Cookie, CookieJar } = await import('tough-cookie')
    return { Cookie, jar: new CookieJar(null, options) }
  }
  const open = () => (loading ??= load())
  return {
    /** The request with the cookies that apply to it. One that the author wrote replaces that of the jar. */
    async addTo<Request extends SentRequest>(request: Request): Promise<Request> {
      const lines = listHeader(request.headers, 'cookie')
      const own = new Set(lines.flatMap((line) => line.split(';').map(readCookieName)))
      const { jar } = await open()
      const kept = jar.getCookieStringSync(request.url).split('; ')
      const others = kept.filter((pair) => !own.has(readCookieName(pair)))
      return { ...request, headers: addCookies(request.headers, others.join('; ')) }
    },
    /** Stores the cookies of `set-cookie` lines; returns a sentence for each one a browser would reject. */
    async store(url: string, setCookieLines: readonly string[]): Promise<string[]> {
      const { Cookie, jar } = await open()
      return setCookieLines.flatMap((line) => {
        const cookie = Cookie.parse(line)
        // The library would count `Max-Age` from the last use of the cookie.
        if (typeof cookie?.maxAge === 'number' && cookie.maxAge > 0) {
          cookie.setExpires(new Date(Math.min(Date.now() + cookie.maxAge * 1000, 8.64e15)))
          cookie.maxAge = null
        }
        // Drops advice that is meant for programmers who use tough-cookie.
        const problem = messageOf(() => jar.setCookieSync(cookie ?? line, url))?.replace(
          / To allow this, .*/s,
          '',
        )
        return problem === undefined
          ? []
          : `The cookie \`${readCookieName(line)}\` of ${url} was refused: ${problem}`
      })
    },
  }
}

export function addCookies(headers: HeaderLines, cookies: string): HeaderLines {
  if (cookies === '') return headers
  const at = headers.findIndex(([name]) => name.toLowerCase() === 'cookie')
  const own = headers[at]
  if (own === undefined) return [...headers, ['cookie', cookies]]
  return headers.with(at, [own[0], `${own[1]}; ${cookies}`])
}

/** The name in `name=value`, which may be a line of `set-cookie`. */
export function readCookieName(pair: string): string {
  return pair.split('=', 1)[0]?.trim() ?? ''
}
