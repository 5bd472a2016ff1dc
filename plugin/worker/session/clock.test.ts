import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { startClock, type Clock } from './clock.ts'

const RealDate = Date
const iso = '2031-05-06T07:08:09.000Z'
const clocks: Clock[] = []

function start(instant = iso): Clock {
  const clock = startClock(instant)
  clocks.push(clock)
  return clock
}

afterEach(() => {
  for (const clock of clocks.splice(0)) clock.restore()
})

test('restore leaves nothing behind', () => {
  start().restore()
  expect(Date).toBe(RealDate)
  expect(Date.prototype.constructor).toBe(RealDate)
  expect(Math.abs(Date.now() - (performance.timeOrigin + performance.now()))).toBeLessThan(60_000)
})

test('what was kept of a clock tells the real time after it', () => {
  const clock = start()
  const { now } = Date
  const Kept = Date
  clock.restore()
  for (const time of [now(), Kept.now(), Number(new Kept()), Date.parse(Kept())])
    expect(Math.abs(time - RealDate.now())).toBeLessThan(60_000)
})

test('Date tells the given time in all its forms', () => {
  start()
  const instant = RealDate.parse(iso)
  expect(new Date().toISOString().slice(0, 19)).toBe('2031-05-06T07:08:09')
  expect(Date.now() - instant).toBeGreaterThanOrEqual(0)
  expect(Date.now() - instant).toBeLessThan(5000)
  // oxlint-disable-next-line typescript/no-base-to-string, unicorn/new-for-builtins
  expect(Date()).toContain('2031')
  expect(Number.isInteger(Date.now())).toBe(true)
})

test('the time runs on, and moves on by what it is told', async () => {
  const clock = start()
  const before = Date.now()
  await sleep(20)
  expect(Date.now()).toBeGreaterThan(before)
  clock.advance(3_600_000)
  expect(new Date().toISOString()).toContain('T08:08:')
})

test('dates with arguments, parse and UTC are those of the real Date', () => {
  start()
  expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z')
  expect(new Date(2020, 1, 29).getDate()).toBe(29)
  expect(Number(new Date(undefined as never))).toBeNaN()
  expect(Date.parse('2020-01-01')).toBe(1_577_836_800_000)
  expect(Date.UTC(2020)).toBe(1_577_836_800_000)
  expect(Date.length).toBe(7)
  expect(Date.name).toBe('Date')
})

test('dates from before, from within and of subclasses are dates', () => {
  const earlier = new Date(0)
  start()
  class Day extends Date {
    get day(): string {
      return this.toISOString().slice(0, 10)
    }
  }
  const now = new Date()
  expect(earlier instanceof Date).toBe(true)
  expect(now instanceof Date && now instanceof RealDate).toBe(true)
  expect(now.constructor).toBe(Date)
  expect(new Day().day).toBe('2031-05-06')
  expect(new Day() instanceof Day).toBe(true)
  expect(Object.prototype.toString.call(now)).toBe('[object Date]')
  expect(structuredClone(now)).toEqual(now)
  expect(JSON.stringify({ now })).toContain('2031-05-06T07:08:09')
})

test('timers and performance are left alone', async () => {
  const clock = start()
  const before = performance.now()
  clock.advance(86_400_000)
  await sleep(5)
  expect(performance.now() - before).toBeLessThan(10_000)
})

test('a clock may start and end within another one', () => {
  const outer = start('2001-01-01T00:00:00Z')
  const inner = start('2002-01-01T00:00:00Z')
  expect(new Date().getUTCFullYear()).toBe(2002)
  inner.restore()
  inner.restore()
  expect(new Date().getUTCFullYear()).toBe(2001)
  outer.restore()
  expect(Date).toBe(RealDate)
})
