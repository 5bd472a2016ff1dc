import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startApi } from './fixtures/plain-api.ts'
import { createProject } from './fixtures/project.ts'

const cache = 'node_modules/.cache/suitecase'

test('a mistake of our own fails the suite it happens in; others run, and all is reported', async () => {
  await using api = await startApi()
  const suite = (id: string, url = '/'): string => `
suite_name: Suite ${id}
node_id: ${id}
base_url: ${api.url}
steps: [{ name: Step ${id}, request: { url: '${url}' }, capture: { made: body.id } }]
exports: [made]
`
  await using project = await createProject({
    'early.suite.yaml': suite('early'),
    'late.suite.yaml': suite('late'),
    'reader.suite.yaml': suite('reader', '/{{early.made}}'),
    'healthy.suite.yaml': suite('healthy'),
  })
  expect((await project.run()).code).toBe(0)
  // Impossible plans make the engine throw: `early` before its tests are created, `late` after they ran.
  for (const name of await readdir(`${project.root}/${cache}`)) {
    const plan = await project.read(`${cache}/${name}`)
    const isEarly = plan.includes('"nodeId":"early"')
    const isLate = plan.includes('"nodeId":"late"')
    const broken = isEarly ? plan.replace('"redact":[]', '"redact":5') : plan
    await project.write({
      [`${cache}/${name}`]: isLate ? plan.replace('"exports":["made"]', '"exports":5') : broken,
    })
  }
  const { code, output } = await project.run()

  expect(code).toBe(1)
  expect(output).toContain('Test Files  2 failed | 2 passed (4)')
  expect(output).toContain('suitecase itself failed here (plan.redact is not iterable). Please report it')
  expect(output).toContain('❯ collectSuite ')
  expect(output).toContain('suitecase itself failed here (plan.exports is not iterable)')
  const listed = await Promise.all(['early', 'late', 'reader', 'healthy'].map((id) => project.result(id)))
  expect(listed.map(({ node_id, status, steps_results: [step] }) => [node_id, status, step?.status])).toEqual(
    [
      ['early', 'failure', 'not_run'],
      ['late', 'failure', 'success'],
      ['reader', 'skipped', 'skipped'],
      ['healthy', 'success', 'success'],
    ],
  )
})
