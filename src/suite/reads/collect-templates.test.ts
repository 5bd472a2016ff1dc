import * as v from 'valibot'
import { expect, test } from 'vitest'
import { loadSuite } from '../load-suite.ts'
import { stepSchema } from '../schema/schema.ts'

test('a template counts as filled in only in the keys of a step that are', async () => {
  const keys = Object.entries(stepSchema.entries).flatMap(([key, schema]) =>
    v.is(schema, '{{x}}') ? key : [],
  )
  const kinds = keys.map(async (key) => {
    const step = { name: 'A', request: { url: '/' }, [key]: '{{x}}' }
    const text = JSON.stringify({ suite_name: 'S', variables: { x: 1 }, steps: [step] })
    const { templates } = await loadSuite({ path: 'a.suite.yaml', text }, { folder: import.meta.dirname })
    return [key, `/steps/0/${key}` in templates]
  })
  const filled = Object.fromEntries(await Promise.all(kinds)) as unknown
  expect(filled, 'what no step fills in belongs into PLAIN').toMatchInlineSnapshot(`
    {
      "delay_ms": true,
      "description": false,
      "name": true,
      "retry": true,
      "save": true,
      "skip": true,
    }
  `)
})
