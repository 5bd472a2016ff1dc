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
  const { code, map } = createCollectModule({
    plan,
    path: '/project/a.suite.yaml',
    source: TEXT,
    options: {},
    imports: ['/project/b.suite.yaml?x="1"'],
  })
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
