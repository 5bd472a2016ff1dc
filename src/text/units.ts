/** Writes a number of bytes for people: `512 B`, `64 KiB`, `19.1 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const unit = bytes < 1024 ** 2 ? 'KiB' : bytes < 1024 ** 3 ? 'MiB' : 'GiB'
  const value = bytes / 1024 ** (['KiB', 'MiB', 'GiB'].indexOf(unit) + 1)
  return `${value % 1 === 0 ? value : value.toFixed(1)} ${unit}`
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a duration such as `90s`, `1.5h` or `2d` as milliseconds; NaN for anything else. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text)
  return match ? Number(match[1]) * (UNITS[match[2] as string] as number) : Number.NaN
}

/** Milliseconds as they are written: a number, or a duration such as `5s`. */
export function readMilliseconds(written: number | string): number
export function readMilliseconds(written: number | string | undefined): number | undefined
export function readMilliseconds(written: number | string | undefined): number | undefined {
  return typeof written === 'string' ? parseDuration(written) : written
}
