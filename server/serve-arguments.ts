import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import leven from 'leven'
import { resolveLimits } from './limits.ts'
import type { StartOptions } from './start-server.ts'

/** A flag: the options that it gives; it throws when its value does not fit. */
type ReadFlag = (value: string, options: StartOptions) => StartOptions

const flags: Record<string, ReadFlag> = {
  host: (host) => {
    if (isIP(host) !== 0 || /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host)) return { host }
    throw new TypeError(`expected an address or a host name, got "${host}"`)
  },
  port: (value) => {
    const port = readNumber(value)
    if (Number.isInteger(port) && port <= 65_535) return { port }
    throw new TypeError(`expected 0 to 65535, got "${value}"`)
  },
  'max-body': (value) => ({ maxBody: readNumber(value) }),
  'max-total-body': (value) => ({ maxTotalBody: readNumber(value) }),
  'max-delay': (value) => ({ maxDelay: readNumber(value) }),
  'max-bytes': (value) => ({ maxBytes: readNumber(value) }),
  'max-items': (value) => ({ maxItems: readNumber(value) }),
  'max-parts': (value) => ({ maxParts: readNumber(value) }),
  'max-keys': (value) => ({ maxKeys: readNumber(value) }),
  'allow-redirect': (value, { allowedRedirects = [] }) => ({
    allowedRedirects: [...allowedRedirects, value],
  }),
}

/** Reads the flags of `suitecase serve`; an Error names the flag and its value. */
export function parseServeArguments(argv: readonly string[]): StartOptions | 'help' | Error {
  const names = Object.keys(flags).map((name) => [name, { type: 'string', multiple: true } as const])
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...Object.fromEntries(names), help: { type: 'boolean' } },
    strict: false,
    tokens: true,
  })
  const options: StartOptions = {}
  for (const token of tokens) {
    if (token.kind !== 'option') return new Error(`unexpected argument "${argv[token.index] ?? ''}"`)
    if (token.name === 'help') return 'help'
    try {
      Object.assign(options, readFlag(token.name, token.value, options))
    } catch (error) {
      return new Error(`${token.rawName}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return options
}

function readFlag(name: string, value: string | undefined, options: StartOptions): StartOptions {
  const read = Object.hasOwn(flags, name) ? flags[name] : undefined
  if (!read) {
    const meant = [...Object.keys(flags), 'help'].find((flag) => leven(flag, name, { maxDistance: 3 }) <= 2)
    throw new TypeError(`unknown flag${meant ? `, did you mean --${meant}?` : ''}`)
  }
  if (value === undefined) throw new TypeError('expected a value')
  const given = read(value, options)
  if (name !== 'host' && name !== 'port') resolveLimits(given)
  return given
}

function readNumber(value: string): number {
  if (/^[0-9]+(?:\.[0-9]+)?$/.test(value)) return Number(value)
  throw new TypeError(`expected a number, 0 or more, got "${value}"`)
}
