/** The option `limits` where it says nothing: sizes in bytes or characters, times in ms. */
export const defaultLimits = {
  fileSize: 10 * 1024 * 1024,
  body: 50 * 1024 * 1024,
  bodies: 256 * 1024 * 1024,
  interpolation: 10 * 1024 * 1024,
  expression: 1000,
  each: 10_000,
  reportBody: 64 * 1024,
  blocked: 30_000,
  suite: 600_000,
}

/** The option `limits`, filled in. How much `memory` expressions may use by default depends on their sandbox. */
export type ResolvedLimits = typeof defaultLimits & { memory?: number }
