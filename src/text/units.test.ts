import { expect, test } from 'vitest'
import { formatBytes, formatMs, parseDuration, readMilliseconds } from './units.ts'

test.for<[written: number | string | undefined, ms: number | undefined]>([
  [250, 250],
  ['250ms', 250],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
  [undefined, undefined],
])('%s is %s ms', ([written, ms]) => {
  expect(readMilliseconds(written)).toBe(ms)
})

test.for(['5', '5 s', 's', '-1s', '1.s', '5sec', ''])('%j is not a duration', (text) => {
  expect(parseDuration(text)).toBeNaN()
})

test.for<[ms: number, shown: string]>([
  [0.421, '0.42 ms'],
  [8.34, '8.3 ms'],
  [141.6, '142 ms'],
  [999.4, '999 ms'],
  [999.5, '1 s'],
  [1254, '1.25 s'],
  [59_994, '59.99 s'],
  [59_995, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('%s ms are shown as %s', ([ms, shown]) => {
  expect(formatMs(ms)).toBe(shown)
})

test.for<[bytes: number, shown: string]>([
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1024 ** 2 - 1, '1024 KiB'],
  [20 * 1024 ** 2 + 104_858, '20.1 MiB'],
  [1024 ** 3, '1 GiB'],
])('%s bytes are shown as %s', ([bytes, shown]) => {
  expect(formatBytes(bytes)).toBe(shown)
})
