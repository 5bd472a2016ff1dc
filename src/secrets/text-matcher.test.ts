import { expect, test } from 'vitest'
import { createTextMatcher } from './text-matcher.ts'

/** Does the same slowly: finds all places where a text occurs, and joins those that overlap or touch. */
function findSlowly(text: string, sought: readonly string[]): number[] {
  const isIn = new Set<number>()
  for (const one of sought)
    for (let at = text.indexOf(one); at !== -1; at = text.indexOf(one, at + 1))
      for (let index = at; index < at + one.length; index += 1) isIn.add(index)
  const places: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    if (!isIn.has(at)) continue
    if (places.at(-1) === at) places[places.length - 1] = at + 1
    else places.push(at, at + 1)
  }
  return places
}

test('finds what a search for each text finds, wherever it is', () => {
  let seed = 7
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
  const write = (length: number): string => Array.from({ length }, () => 'abü%'[next(4)] as string).join('')
  for (let round = 0; round < 2000; round += 1) {
    const sought = Array.from({ length: 1 + next(4) }, () => write(4 + next(4)))
    const text = write(next(40))
    const matcher = createTextMatcher()
    for (const one of sought) matcher.add(one)
    expect([text, sought, matcher.find(text).flat()]).toEqual([text, sought, findSlowly(text, sought)])
  }
})

test('finds a text at the start and at the end, and none in what is too short', () => {
  const matcher = createTextMatcher()
  matcher.add('abcd')
  expect(matcher.find('abcd').flat()).toEqual([0, 4])
  expect(matcher.find('abcdabcd-abcd').flat()).toEqual([0, 8, 9, 13])
  expect(matcher.find('abc')).toEqual([])
  expect(matcher.find('')).toEqual([])
})

test('finds a text that was cut after its head, and the longest of several that begin the same', () => {
  const matcher = createTextMatcher()
  for (const text of ['abcdefgh', 'abcdefxy', 'abcd']) matcher.add(text, 6)
  expect(matcher.find('abcdefg-abcdefxyz-abcde-abc').flat()).toEqual([0, 7, 8, 16, 18, 22])
  const paths = createTextMatcher()
  for (const end of ['b', 'd', 'f', 'h']) paths.add(`/secret/${end}/${end}`, 8)
  expect(paths.find('/secret/b/b /secret/d/b /secret/h/h').flat()).toEqual([0, 11, 12, 22, 24, 35])
})
