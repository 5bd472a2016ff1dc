import { expect, test } from 'vitest'
import { SuiteError } from '../../../src/errors.ts'
import type { WorkerOptions } from '../../contract/worker-options.ts'
import { Definition, loadDefinition } from './load-definition.ts'

const text = `here({ suite_name: 'S', steps: [
  { name: 'a', request: { url: '/' }, assert: { 'body.id': { contains: /x/ } } },
  { name: 'b', request: { url: '/' }, assert: { status_code: 200, 'body.id': { contains: /x/, equals: 'x' } } },
  { name: 'c', request: { url: '/' }, assert: { body: /x/ }, capture: { id: new Map() } },
] })`

const written = {
  suite_name: 'S',
  steps: [
    { name: 'a', request: { url: '/' }, assert: { 'body.id': { contains: /x/ } } },
    {
      name: 'b',
      request: { url: '/' },
      assert: { status_code: 200, 'body.id': { contains: /x/, equals: 'x' } },
    },
    { name: 'c', request: { url: '/' }, assert: { body: /x/ }, capture: { id: new Map() } },
  ],
}

const call = { file: { path: '/p/s.test.ts', text, nodeIds: new Set<string>() }, offset: 0, direct: true }

test('a list is no suite', () => {
  expect(() => new Definition(call, [])).toThrow('`suite_name` and `steps`, got `[]` (array).')
})

const options = { shownFrom: '/p', env: {}, variables: {}, app: {}, limits: {} } as unknown as WorkerOptions

test('no hint says how to write it in YAML', async () => {
  const wrong = { suite_name: 'S', depends: 'id', variables: null, mocks: {}, steps: [{}] }
  const error = await loadDefinition(new Definition(call, wrong), options).catch((thrown: unknown) => thrown)
  expect((error as Error).message).toContain('Expected `depends` to be a list of names, got `"id"` (string).')
  expect((error as Error).message).not.toMatch(/hyphen|[Ii]ndent|\[id\]/)
})

test('what is refused is told once, at its place, and not that its map is empty', async () => {
  const definition = new Definition(call, written)
  const error = await loadDefinition(definition, options).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SuiteError)
  expect((error as Error).message).toMatchInlineSnapshot(`
    "s.test.ts:2:72 error bad-value: A regular expression is not allowed at \`steps[0].assert["body.id"].contains\`.
      hint: It is the check \`pattern\` of a value of the response, beside other checks: of \`assert.body\`, \`data\` or \`events\`, a field below it, or the elements of \`each\`.
      1 | here({ suite_name: 'S', steps: [
    > 2 |   { name: 'a', request: { url: '/' }, assert: { 'body.id': { contains: /x/ } } },
        |                                                                        ^^^
      3 |   { name: 'b', request: { url: '/' }, assert: { status_code: 200, 'body.id': { contains: /x/, equals: 'x' } } },
      4 |   { name: 'c', request: { url: '/' }, assert: { body: /x/ }, capture: { id: new Map() } },

    s.test.ts:3:90 error bad-value: A regular expression is not allowed at \`steps[1].assert["body.id"].contains\`.
      hint: It is the check \`pattern\` of a value of the response, beside other checks: of \`assert.body\`, \`data\` or \`events\`, a field below it, or the elements of \`each\`.
      1 | here({ suite_name: 'S', steps: [
      2 |   { name: 'a', request: { url: '/' }, assert: { 'body.id': { contains: /x/ } } },
    > 3 |   { name: 'b', request: { url: '/' }, assert: { status_code: 200, 'body.id': { contains: /x/, equals: 'x' } } },
        |                                                                                          ^^^
      4 |   { name: 'c', request: { url: '/' }, assert: { body: /x/ }, capture: { id: new Map() } },
      5 | ] })

    s.test.ts:4:77 error bad-value: Expected \`steps[2].capture.id\` to be data, got an instance of Map.
      hint: Use strings, numbers, booleans, null, lists and object literals.
      2 |   { name: 'a', request: { url: '/' }, assert: { 'body.id': { contains: /x/ } } },
      3 |   { name: 'b', request: { url: '/' }, assert: { status_code: 200, 'body.id': { contains: /x/, equals: 'x' } } },
    > 4 |   { name: 'c', request: { url: '/' }, assert: { body: /x/ }, capture: { id: new Map() } },
        |                                                                             ^^^^^^^^^
      5 | ] })"
  `)
})
