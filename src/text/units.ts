/** Formats a number of bytes: `512 B`, `64 KiB`, `19.1 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const power = bytes < 1024 ** 2 ? 1 : bytes < 1024 ** 3 ? 2 : 3
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${'KMG'[power - 1]}iB`
}

/** Formats a count with its noun: `1 step`, `12,000 steps`. */
export function countOf(count: number, noun: string): string {
  // Not with `toLocaleString`: loading a locale's rules takes as long as a small suite.
  const digits = String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return `${digits} ${noun}${count === 1 ? '' : 's'}`
}

/** Formats a duration in milliseconds: `0.42 ms`, `8.3 ms`, `142 ms`, `1.25 s`, `2 min 5 s`. */
export function formatMs(ms: number): string {
  if (ms < 1) return `${Number(ms.toFixed(2))} ms`
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_995) return `${Number((ms / 1000).toFixed(2))} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export function roundMs(value: number): number {
  return Math.round(value * 100) / 100
}

export const MAX_TIMER_DELAY: number = 2 ** 31 - 1

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses a duration such as `90s`, `1.5h` or `2d` into milliseconds; NaN for anything else. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text)
  return match ? Number(match[1]) * (UNITS[match[2] as string] as number) : Number.NaN
}

/** Reads a time as authors write it, in milliseconds or as a duration such as `5s`, into milliseconds. */
export function readMilliseconds(written: number | string): number
export function readMilliseconds(written: number | string | undefined): number | undefined
export function readMilliseconds(written: number | string | undefined): number | undefined {
  return typeof written === 'string' ? parseDuration(written) : written
}
