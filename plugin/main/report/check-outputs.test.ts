import { expect, test } from 'vitest'
import { createLeakFinder } from '../../../src/secrets/find-leaks.ts'
import { searchFor } from '../../../src/secrets/secret-search.ts'
import { createFolder } from '../../testing/fixtures/project.ts'
import { checkOutputs } from './check-outputs.ts'

test('a secret that is left in a file is told once, with its variable and the places, and never shown', async () => {
  const text = JSON.stringify({ a: 'x hunter-22 y', list: ['hunter-22'], b: ['plain', 'other-99'] })
  await using folder = await createFolder({ 'one.json': text, 'two.json': text })
  const told = await checkOutputs(folder.root, ['one.json', 'two.json'], {
    finder: createLeakFinder(searchFor(['hunter-22', 'other-99', 'nowhere-1'])),
    nameOf: (secret) => (secret === 'hunter-22' ? 'session' : undefined),
  })
  expect(told).toEqual([
    'The secret `session` is in the reports, in one.json: a, one.json: list[0], two.json: a and 1 more place.',
    'A secret is in the reports, in one.json: b[1], two.json: b[1].',
  ])
})

test('a secret is found across the pieces in which a large file is read, whatever separators it has', async () => {
  await using folder = await createFolder({})
  const secret = 'sep\u2028arated-7'
  // The first line is about as long as a piece of the file.
  for (const length of [65_510, 65_520, 65_530]) {
    const lines = [{ a: 'x'.repeat(length) }, { b: secret }].map((line) => JSON.stringify(line))
    await folder.write({ 'one.json': `[${lines.join(',\n')}]\n` })
    expect(
      await checkOutputs(folder.root, ['one.json'], {
        finder: createLeakFinder(searchFor([secret])),
        nameOf: () => undefined,
      }),
    ).toEqual(['A secret is in the reports, in one.json: [1].b.'])
  }
})
