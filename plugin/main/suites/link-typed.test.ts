import { expect, test } from 'vitest'
import { linkTyped } from './link-typed.ts'

test('what stands between quotes may be longer than the name of any file', async () => {
  const code = `import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: '${'long '.repeat(500)}', steps: [] })\n`
  const targets = { files: { index: async () => new Map() }, app: undefined, extend: undefined }
  expect(await linkTyped(code, '/project/a.test.ts', { ...targets, environment: undefined })).toBe(
    `${code}\n`,
  )
})
