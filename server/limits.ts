/** What a user may set on `createApp` and `startServer`. */
export interface EchoOptions {
  /** Largest request body in bytes; a larger one is answered 413. @default 10485760 (10 MiB) */
  maxBody?: number
  /** Longest delay in seconds that `/delay`, `/drip` and the like accept; a longer one is answered 400. @default 10 */
  maxDelay?: number
  /** Largest number of bytes that `/bytes`, `/stream-bytes`, `/range` and `/drip` produce. @default 102400 (100 KiB) */
  maxBytes?: number
  /** Largest number of lines, events or links that `/stream`, `/sse` and `/links` produce. @default 100 */
  maxItems?: number
  /** Largest number of fields of a form or parts of a multipart body; more are answered 413. @default 10000 */
  maxParts?: number
  /** Largest number of keys that `/flaky` and `/sequence` remember; the oldest is forgotten. @default 10000 */
  maxKeys?: number
  /** Absolute targets (origins such as `https://example.org`) that `/redirect-to` may name. @default [] */
  allowedRedirects?: readonly string[]
}

/** The options with every default filled in. */
export type Limits = Required<EchoOptions>

/** The values used when an option is not given. */
const DEFAULT_LIMITS: Limits = {
  maxBody: 10 * 1024 * 1024,
  maxDelay: 10,
  maxBytes: 100 * 1024,
  maxItems: 100,
  maxParts: 10_000,
  maxKeys: 10_000,
  allowedRedirects: [],
}

/** The largest accepted value of each number; a delay must fit a 32-bit timer, a body a JavaScript string. */
const UPPER_BOUNDS = {
  maxBody: 32 * 1024 * 1024,
  maxDelay: 2_147_483,
  maxBytes: 64 * 1024 * 1024,
  maxItems: 1_000_000,
  maxParts: 1_000_000,
  maxKeys: 1_000_000,
} as const

/**
 * Fills in the defaults.
 * @throws TypeError naming the option, the rule and the value
 */
export function resolveLimits(options: EchoOptions = {}): Limits {
  return {
    maxBody: checkNumber(options, 'maxBody', Number.isInteger),
    maxDelay: checkNumber(options, 'maxDelay', Number.isFinite),
    maxBytes: checkNumber(options, 'maxBytes', Number.isInteger),
    maxItems: checkNumber(options, 'maxItems', Number.isInteger),
    maxParts: checkNumber(options, 'maxParts', Number.isInteger),
    maxKeys: checkNumber(options, 'maxKeys', Number.isInteger),
    allowedRedirects: resolveOrigins(options.allowedRedirects ?? DEFAULT_LIMITS.allowedRedirects),
  }
}

function checkNumber(
  options: EchoOptions,
  name: keyof typeof UPPER_BOUNDS,
  isNumber: (value: unknown) => boolean,
): number {
  const { [name]: value = DEFAULT_LIMITS[name] } = options
  const bound = UPPER_BOUNDS[name]
  if (isNumber(value) && value >= 0 && value <= bound) return value
  const kind = isNumber(0.5) ? 'a number' : 'an integer'
  throw new TypeError(
    `Expected the \`${name}\` option to be ${kind} from 0 to ${bound}, got \`${value}\` (${typeof value})`,
  )
}

function resolveOrigins(origins: readonly string[]): string[] {
  return origins.map((origin) => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin
    throw new TypeError(`Expected each of \`allowedRedirects\` to be an http(s) origin, got \`${origin}\``)
  })
}
