import { expect, test } from 'vitest'
import { linkTyped, listNamedFiles } from './link-typed.ts'

test('what stands between quotes may be longer than the name of any file', async () => {
  const code = `import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: '${'long '.repeat(500)}', steps: [] })\n`
  const targets = { files: { index: async () => new Map(), app: undefined }, watch() {} }
  expect(await linkTyped(code, '/project/a.test.ts', targets)).toMatchObject({ code: `${code}\n` })
})

test('an XPath is not the name of a file, which Windows would ask another computer for', () => {
  const code = String.raw`file: 'data/a.json', xpath: { '//book/title': 'x', "\\\\book\\title": 1 }`
  const names = listNamedFiles('/project/a.test.ts', code)
  expect(names).toContain('/project/data/a.json')
  expect(names.filter((name) => name.includes('book'))).toEqual([])
})
