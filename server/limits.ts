/** Options of `createApp`, `createRouter` and `startServer`. */
export interface EchoOptions {
  /** Largest request body in bytes. A larger one is answered with 413. @default 10485760 (10 MiB) */
  maxBody?: number
  /** Longest delay in seconds that `/delay`, `/drip` and the like accept. A longer one is answered with 400. @default 10 */
  maxDelay?: number
  /** Most bytes that `/bytes`, `/stream-bytes`, `/range` and `/drip` produce. @default 102400 (100 KiB) */
  maxBytes?: number
  /** Most lines, events or links that `/stream`, `/ndjson`, `/sse` and `/links` produce. @default 100 */
  maxItems?: number
  /** Most fields of a form or parts of a multipart body. More are answered with 413. @default 10000 */
  maxParts?: number
  /** Absolute targets (origins such as `https://example.org`) that `/redirect-to` accepts. @default [] */
  allowedRedirects?: readonly string[]
}

/** The options with every default filled in. */
export type Limits = Required<EchoOptions>

/** The default and the largest value of each number. A delay must fit a 32-bit timer, and a body a JavaScript string. */
const NUMBERS = {
  maxBody: [10 * 1024 * 1024, 32 * 1024 * 1024],
  maxDelay: [10, 2_147_483],
  maxBytes: [100 * 1024, 64 * 1024 * 1024],
  maxItems: [100, 1_000_000],
  maxParts: [10_000, 1_000_000],
} as const

type NumberName = keyof typeof NUMBERS

/** The options that are numbers. */
export const numberNames: readonly NumberName[] = Object.keys(NUMBERS) as NumberName[]

/**
 * Fills in the defaults. `others` names the caller's own options.
 * @throws TypeError naming the option, the rule and the value
 */
export function resolveLimits(options: EchoOptions, others: readonly string[]): Limits {
  const known: string[] = [...others, ...numberNames, 'allowedRedirects']
  for (const name of Object.keys(options))
    if (!known.includes(name))
      throw new TypeError(
        `Expected an option of the echo server, got \`${name}\`: it has ${known.join(', ')}`,
      )
  const numbers = numberNames.map((name) => [name, checkNumber(name, options[name])] as const)
  return {
    ...(Object.fromEntries(numbers) as Record<NumberName, number>),
    allowedRedirects: (options.allowedRedirects ?? []).map(readOrigin),
  }
}

function checkNumber(name: NumberName, value: number = NUMBERS[name][0]): number {
  const [, bound] = NUMBERS[name]
  const isDelay = name === 'maxDelay'
  if ((isDelay ? Number.isFinite(value) : Number.isInteger(value)) && value >= 0 && value <= bound)
    return value
  throw new TypeError(
    `Expected the \`${name}\` option to be ${isDelay ? 'a number' : 'an integer'} from 0 to ${bound}, got \`${value}\` (${typeof value})`,
  )
}

function readOrigin(origin: string): string {
  const url = URL.parse(origin)
  if (url?.href === `${url?.origin}/` && /^https?:$/.test(url.protocol)) return url.origin
  throw new TypeError(`Expected each of \`allowedRedirects\` to be an http(s) origin, got \`${origin}\``)
}
