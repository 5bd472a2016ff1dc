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
  /** Largest number of parts of a multipart body; more are answered 413. @default 1000 */
  maxParts?: number
  /** Largest number of keys that `/flaky` and `/sequence` remember; the oldest is forgotten. @default 10000 */
  maxKeys?: number
  /** Absolute targets (origins such as `https://example.org`) that `/redirect-to` may name. @default [] */
  allowedRedirects?: readonly string[]
}

/** The options with every default filled in. */
export type Limits = Required<EchoOptions>

/** The values used when an option is not given. */
export const DEFAULT_LIMITS: Limits = {
  maxBody: 10 * 1024 * 1024,
  maxDelay: 10,
  maxBytes: 100 * 1024,
  maxItems: 100,
  maxParts: 1000,
  maxKeys: 10_000,
  allowedRedirects: [],
}

/** The largest accepted value of each number; a delay must fit a 32-bit timer, a body a JavaScript string. */
const UPPER_BOUNDS = {
  maxBody: 64 * 1024 * 1024,
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
  const limits: Limits = { ...DEFAULT_LIMITS }
  for (const [name, bound] of Object.entries(UPPER_BOUNDS) as [keyof typeof UPPER_BOUNDS, number][]) {
    const value: unknown = options[name]
    if (value === undefined) continue
    const wanted = name === 'maxDelay' ? 'number' : 'integer'
    const fits = typeof value === 'number' && value >= 0 && value <= bound
    if (!fits || (wanted === 'integer' && !Number.isInteger(value))) {
      throw new TypeError(
        `Expected the \`${name}\` option to be ${wanted === 'integer' ? 'an integer' : 'a number'} from 0 to ${bound}, got \`${String(value)}\` (${typeof value})`,
      )
    }
    limits[name] = value
  }
  if (options.allowedRedirects !== undefined)
    limits.allowedRedirects = resolveOrigins(options.allowedRedirects)
  return limits
}

function resolveOrigins(origins: readonly string[]): string[] {
  return origins.map((origin) => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin
    throw new TypeError(`Expected each of \`allowedRedirects\` to be an http(s) origin, got \`${origin}\``)
  })
}
