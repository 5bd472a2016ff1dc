import { expect, test } from 'vitest'
import { requireNode, requireVitest } from './require-versions.ts'

test('a Node or Vitest that is too old, or another runtime, is refused in a sentence', () => {
  expect(() => requireNode({ node: '20.20.2' })).toThrow(
    'suitecase: needs Node 22.19 or newer, but this is 20.20.2. Install a newer Node.',
  )
  expect(() => requireNode({ node: '22.18.0' })).toThrow('needs Node 22.19')
  for (const [name, version] of Object.entries({ Bun: '1.4.5', Deno: '2.9.6' }))
    expect(() => requireNode({ node: '24.3.0', [name.toLowerCase()]: version })).toThrow(
      `suitecase: needs Node 22.19 or newer, but this is ${name} ${version}. Start Vitest with Node: \`npx vitest\`.`,
    )
  expect(() => requireVitest('4.1.3')).toThrow(
    'suitecase: needs Vitest 5.1 or newer, but this is 4.1.3. Run `npm install --save-dev vitest@5`, with all your `@vitest/…` packages.',
  )
  // With Vitest 5.0 a run whose worker died ends with code 0.
  expect(() => requireVitest('5.0.5')).toThrow('needs Vitest 5.1')
  for (const version of ['22.19.0', '24.0.0']) expect(() => requireNode({ node: version })).not.toThrow()
  for (const version of ['5.1.0', '5.2.0-beta.1', '6.0.0']) expect(() => requireVitest(version)).not.toThrow()
})
