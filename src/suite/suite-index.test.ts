import { describe, expect, test } from 'vitest'
import { defaultNodeId, summariseSuite, orderSuites, type OrderedSuite } from './suite-index.ts'

describe('a quick look at a suite', () => {
  test('finds node id, priority, tags and every suite that it could need', () => {
    const text = `
suite_name: S
node_id: "shop-2"
metadata: { priority: high, tags: [a] }
depends:
  - catalog
  - 3rd
steps:
  - name: a
    request: { url: '/{{auth.token}}/{{ 2fa . code }}/{{js: users[0].id}}' }
  - name: b
    call: { suite: ./helper.yaml, step: x }
  - name: c
    call:
      suite: payments
  - name: d
    call: { suite: refunds, step: y }
`
    const summary = summariseSuite('/x/a.suite.yaml', text)
    expect(summary).toMatchObject({ nodeId: 'shop-2', priority: 1, hasTags: true })
    expect(summary.mentions).toEqual(
      expect.arrayContaining(['catalog', '3rd', 'auth', '2fa', 'payments', 'refunds']),
    )
    expect(summary.files).toEqual(['./helper.yaml'])
  })

  test.each([
    'depends:\n  # first\n  - auth\n\n  - users\nsteps: []\n',
    'depends: [\n  auth,\n  users,\n]\nsteps: []\n',
    'depends:\r\n- auth\r\n- users # why\r\nsteps: []\r\n',
  ])('finds what it depends on, however it is written: %j', (text) => {
    const { mentions } = summariseSuite('/x/a.suite.yaml', text)
    expect(mentions).toEqual(expect.arrayContaining(['auth', 'users']))
    expect(mentions).not.toContain('steps')
  })

  test('takes the node id from the file name without one', () => {
    expect(summariseSuite('/x/User login.suite.yaml', 'suite_name: S')).toEqual({
      nodeId: 'user-login',
      priority: 2,
      mentions: [],
      files: [],
      hasTags: false,
    })
    expect(defaultNodeId('/x/登录.suite.yml')).toBe('suite-1e2df9c3')
    expect(defaultNodeId('/x/注册.suite.yml')).not.toBe(defaultNodeId('/x/登录.suite.yml'))
    // File names as macOS may store them, and as Linux does.
    const names = ['NFD', 'NFC'].map((form) => defaultNodeId(`/x/${'Prüfung'.normalize(form)}.suite.yaml`))
    expect(names).toEqual(['pr-fung', 'pr-fung'])
  })

  test('finds the node id of a suite that is written as JSON', () => {
    const text = '{"suite_name": "S", "node_id": "shop", "steps": [{"node_id": "other"}]}'
    expect(summariseSuite('/x/a.suite.yaml', text).nodeId).toBe('shop')
  })

  test('takes the priority of the metadata, not one of a body', () => {
    const read = (text: string): number => summariseSuite('/x/a.suite.yaml', text).priority
    const steps = 'steps:\n  - name: a\n    request: { body: { priority: critical } }\n'
    expect(read(steps)).toBe(2)
    expect(read(`metadata: { tags: [a] }\n${steps}`)).toBe(2)
    expect(read(`metadata:\n  tags: [a]\n\n# why\n  priority: 'low' # for now\n${steps}`)).toBe(3)
    expect(read(`${steps}metadata: { tags: [a], priority: high }\r\n`)).toBe(1)
    expect(read(`metadata:\r\n  tags: [a]\r\n  priority: low\r\n${steps}`)).toBe(3)
    expect(read(`metadata:\n  description: ${'x'.repeat(2000)}\n  priority: low\n`)).toBe(3)
    expect(read('steps:\n  - request: { body: { metadata: { priority: low } } }\n')).toBe(2)
    expect(read('{"steps": [{"body": {"priority": "low"}}], "metadata": {"priority": "high"}}')).toBe(1)
    expect(read('{"metadata": {"tags": []}, "steps": [{"body": {"priority": "low"}}]}')).toBe(2)
  })

  // Otherwise an id that only begins like that of another suite would make that one fail, too.
  test('takes no part of a node id that is not valid', () => {
    const read = (written: string): string => summariseSuite('/x/a.suite.yaml', written).nodeId
    for (const id of ['shop v2', '"shop.v2"', "'shop/v2' # new", 'shop#2', '"shop"2'])
      expect([id, read(`suite_name: S\nnode_id: ${id}\nsteps: []`)]).toEqual([id, 'a'])
    expect(read('{"node_id": "shop v2", "steps": []}')).toBe('a')
    for (const id of ['shop', "'shop'", '"shop" ', 'shop # new', 'shop\t# new', 'shop\r'])
      expect([id, read(`suite_name: S\nnode_id: ${id}\nsteps: []`)]).toEqual([id, 'shop'])
    expect(read('{\n  "steps": [],\n  "node_id": "shop"\n}')).toBe('shop')
  })

  // An expression that takes quadratic time would need hours for these.
  test.each([
    ['a word', 'x'.repeat(5e6)],
    ['spaces', `a${' '.repeat(5e6)}`],
    ['dots', '.'.repeat(5e6)],
    ['endings', '.yaml'.repeat(1e6)],
    ['lines', 'suite:\n'.repeat(5e5)],
    ['metadata', 'metadata: {\n'.repeat(3e5)],
    ['metadata in JSON', '{ metadata: '.repeat(3e5)],
    ['lines of metadata', `metadata:${'\n  a: priority'.repeat(3e5)}`],
    ['quotes', `depends:${'\n  - a'.repeat(5e5)}`],
  ])('is linear in a file of nothing but %s', (_, text) => {
    expect(summariseSuite('/x/a.suite.yaml', text).nodeId).toBe('a')
  })
})

const suite = (nodeId: string, priority: number, ...mentions: string[]): OrderedSuite => ({
  file: nodeId,
  nodeId,
  priority,
  mentions,
})

test('suites come after those they need, then by priority, and cycles do not matter', () => {
  const ordered = orderSuites([
    suite('low', 3),
    suite('needs', 0, 'given', 'nowhere'),
    suite('given', 3),
    suite('one', 2, 'two'),
    suite('two', 2, 'one'),
    suite('high', 1),
  ])
  expect(ordered.map(({ nodeId }) => nodeId)).toEqual(['given', 'needs', 'high', 'two', 'one', 'low'])
})
