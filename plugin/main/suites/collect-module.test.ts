import { SourceMap, type SourceMapPayload } from 'node:module'
import { expect, test } from 'vitest'
import { loadSuite } from '../../../src/suite/load-suite.ts'
import { createCollectModule } from './collect-module.ts'

const TEXT = `suite_name: "Names: 'a', \\"b\\" & \\\\"
base_url: http://localhost
steps:
  - name: One
    request: { url: '/' }
  -   name: "Two \\u2028 \${x} \`y\`"
      request: { url: '/{{js: "</script>"}}' }
  - request: { url: '/' }
    name: __proto__
`

test('each test maps to the name of its step in the suite file, and the module is valid', async () => {
  const plan = await loadSuite({ path: 'a.suite.yaml', text: TEXT }, { folder: '/project' })
  const { code, map } = createCollectModule(
    '/project/a.suite.yaml',
    { plan, source: { path: 'a.suite.yaml', text: TEXT } },
    { options: {}, imports: ['/project/b.suite.yaml?x="1"'] },
  )
  const positions = new SourceMap(map as unknown as SourceMapPayload)
  const mapped = code.split('\n').flatMap((line, index) => {
    if (!line.includes('test(')) return []
    const entry = positions.findEntry(index, line.search(/\S/))
    return 'originalLine' in entry
      ? [[entry.originalSource, entry.originalLine + 1, entry.originalColumn + 1]]
      : []
  })
  expect(mapped).toEqual([
    ['/project/a.suite.yaml', 4, 11],
    ['/project/a.suite.yaml', 6, 13],
    ['/project/a.suite.yaml', 9, 11],
  ])
  expect(map.sourcesContent).toEqual([TEXT])
  // It parses as a module, so nothing of the suite breaks out of its literals.
  const { parse } = await import('acorn')
  expect(() => parse(code, { sourceType: 'module', ecmaVersion: 'latest' })).not.toThrow()
})

test('declares blocks and tests so that they can be read without running them', async () => {
  const text = `suite_name: Rows of {{tenant}}
metadata: { tags: [smoke] }
each: [{ user: ann }, { user: bob }]
steps:
  - name: "It's {{user}}"
    request: { url: http://h/ }
    only: true
  - name: 'Say "hi" to {{user}}'
    request: { url: http://h/ }
    tags: [slow]
  - name: "It's \\"\`both\`\\""
    todo: true
  - name: "It's \\"\${user}\\""
    request: { url: http://h/ }
  - name: "a \\\\ b"
    request: { url: http://h/ }
`
  const plan = await loadSuite({ path: 'a.suite.yaml', text }, { folder: '/project' })
  const options = { variables: { tenant: 'acme' } }
  const { code } = createCollectModule(
    '/a.suite.yaml',
    { plan, source: { path: 'a.suite.yaml', text } },
    { imports: ['/b "c".yaml'], options },
  )
  expect(code).toMatchInlineSnapshot(`
    "import { describe, test } from 'vitest'
    const run = () => { throw new Error("A project other than that of suites() ran this suite file as a test file, but it cannot send anything. Exclude suite files from its option \`include\`.") }
    void (() => import("/b \\"c\\".yaml"))
    describe("Rows of acme [1: user=ann]", { tags: ["smoke"] }, () => {
      test("It's ann", { only: true, todo: undefined, tags: [] }, run)
      test('Say "hi" to ann', { only: false, todo: undefined, tags: ["slow"] }, run)
      test("It's \\"\`both\`\\"", { only: false, todo: true, tags: [] }, run)
      test("It's \\"\${user}\\"", { only: false, todo: undefined, tags: [] }, run)
      test("a \\\\ b", { only: false, todo: undefined, tags: [] }, run)
    })
    describe("Rows of acme [2: user=bob]", { tags: ["smoke"] }, () => {
      test("It's bob", { only: true, todo: undefined, tags: [] }, run)
      test('Say "hi" to bob', { only: false, todo: undefined, tags: ["slow"] }, run)
      test("It's \\"\`both\`\\"", { only: false, todo: true, tags: [] }, run)
      test("It's \\"\${user}\\"", { only: false, todo: undefined, tags: [] }, run)
      test("a \\\\ b", { only: false, todo: undefined, tags: [] }, run)
    })
    "
  `)
})
