import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import leven from 'leven'
import { resolveLimits } from './limits.ts'
import type { StartOptions } from './start-server.ts'

/** Takes the value of a flag into the options; throws when it does not fit. */
type TakeFlag = (options: StartOptions, value: string) => void

const flags: Record<string, TakeFlag> = {
  host: (options, value) => {
    if (isIP(value) === 0 && !/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value)) {
      throw new TypeError(`expected an address or a host name, got "${value}"`)
    }
    options.host = value
  },
  port: (options, value) => {
    const port = readNumber(value)
    if (!Number.isInteger(port) || port > 65_535) throw new TypeError(`expected 0 to 65535, got "${value}"`)
    options.port = port
  },
  'max-body': (options, value) => take(options, { maxBody: readNumber(value) }),
  'max-delay': (options, value) => take(options, { maxDelay: readNumber(value) }),
  'max-bytes': (options, value) => take(options, { maxBytes: readNumber(value) }),
  'max-items': (options, value) => take(options, { maxItems: readNumber(value) }),
  'max-parts': (options, value) => take(options, { maxParts: readNumber(value) }),
  'max-keys': (options, value) => take(options, { maxKeys: readNumber(value) }),
  'allow-redirect': (options, value) =>
    take(options, { allowedRedirects: [...(options.allowedRedirects ?? []), value] }),
}

function take(options: StartOptions, taken: StartOptions): void {
  resolveLimits(taken)
  Object.assign(options, taken)
}

function readNumber(value: string): number {
  if (/^[0-9]+(?:\.[0-9]+)?$/.test(value)) return Number(value)
  throw new TypeError(`expected a number, 0 or more, got "${value}"`)
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
    const problem = takeFlag(options, token)
    if (problem) return new Error(`${token.rawName}: ${problem}`)
  }
  return options
}

function didYouMean(name: string): string {
  const meant = [...Object.keys(flags), 'help'].find((flag) => leven(flag, name, { maxDistance: 3 }) <= 2)
  return meant ? `, did you mean --${meant}?` : ''
}

function takeFlag(
  options: StartOptions,
  { name, value }: { name: string; value?: string | undefined },
): string | undefined {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
  if (!flag) return `unknown flag${didYouMean(name)}`
  if (value === undefined) return 'expected a value'
  try {
    flag(options, value)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
