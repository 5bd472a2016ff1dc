import { expect, test } from 'vitest'
import type { Json } from '../json.ts'
import { escapeForScript } from './files/serialise-page.ts'
import { createLeakFinder } from '../secrets/find-leaks.ts'
import { searchFor } from '../secrets/secret-search.ts'
import { createRedactor } from '../secrets/redactor.ts'
import { copyJson, isSafeJson } from '../safe-json.ts'

/** Pseudo-random numbers below 1, the same in every run (Park and Miller). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const pieces = [
  'a',
  'token',
  '=',
  ':',
  '"',
  "'",
  '\\',
  '{{',
  '}}',
  '\n',
  ' ',
  '/',
  '+',
  '%',
  '&',
  '<',
  '\u2028',
  '\ud800',
  '😀',
  'ß',
  '\0',
  '__proto__',
  '5',
]

function makeText(random: () => number): string {
  return Array.from(
    { length: Math.floor(random() * 12) },
    () => pieces[Math.floor(random() * pieces.length)],
  ).join('')
}

function makeValue(random: () => number, depth = 0): Json {
  const kind = random()
  if (depth > 5 || kind < 0.4) return makeText(random)
  if (kind < 0.5) return Math.floor(random() * 1e6)
  if (kind < 0.55) return random() < 0.5
  const length = Math.floor(random() * 4)
  if (kind < 0.75) return Array.from({ length }, () => makeValue(random, depth + 1))
  return Object.fromEntries(Array.from({ length }, () => [makeText(random), makeValue(random, depth + 1)]))
}

test('whatever the secret and the value: no spelling of it is left, and the result is JSON', () => {
  const random = createRandom(7)
  for (let round = 0; round < 1000; round += 1) {
    const secret = `${makeText(random)}s3cr3t${makeText(random)}`
    const { redactJson, redactSource } = createRedactor({ search: searchFor([secret]) })
    const value = {
      text: makeText(random),
      value: makeValue(random),
      [makeText(random) + secret]: [`x${secret}y`, encodeURIComponent(secret.toWellFormed())],
    }
    const shown = JSON.stringify(redactJson(value))
    expect(createLeakFinder(searchFor([secret])).isIn(shown)).toBe(false)
    expect(JSON.parse(shown)).toEqual(JSON.parse(shown.toWellFormed()))
    expect(
      createLeakFinder(searchFor([secret])).isIn(redactSource(`a: ${secret}\n${makeText(random)}`)),
    ).toBe(false)
  }
})

test('whatever the value and the bound: what is kept is valid, bounded JSON that cannot end a script', () => {
  const random = createRandom(11)
  for (let round = 0; round < 3000; round += 1) {
    const value = makeValue(random)
    const maxBytes = Math.floor(random() * 60)
    const json = JSON.stringify(isSafeJson(value, maxBytes) ? value : copyJson(value, { maxBytes }))
    expect(json.isWellFormed()).toBe(true)
    const script = escapeForScript(json)
    expect(script).not.toMatch(/[<\u2028\u2029]/)
    expect(JSON.parse(script)).toEqual(JSON.parse(json))
    expect(isSafeJson(JSON.parse(json))).toBe(true)
  }
})
