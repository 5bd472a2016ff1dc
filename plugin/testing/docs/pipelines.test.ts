import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProject } from '../fixtures/project.ts'
import { listExamples } from './read-pages.ts'

const read = (page: string): string[] =>
  ['yaml', 'groovy'].flatMap((language) =>
    listExamples(language, `docs/recipes/${page}.md`).map(({ code }) => code.slice(code.indexOf('\n') + 1)),
  )

test.each([
  ['github', 3],
  ['gitlab', 2],
  ['jenkins', 2],
])('the shards for %s make one report', async (page, total) => {
  const [, sharded = ''] = read(page)
  const [shard = '', merge = ''] = [...sharded.matchAll(/npx vitest (run .*?)'?$/gm)].map(
    ([, words = '']) => words,
  )
  const suite = (name: string): string =>
    `suite_name: ${name}\nsteps: [{ name: S, request: { url: '{{echo_url}}/get' }, assert: { status_code: ${name === 'b' ? 404 : 200} } }]`
  await using project = await createProject(
    Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.suite.yaml`, suite(name)])),
  )
  for (let index = 1; index <= total; index++) {
    const words = shard
      .replace(/\$CI_NODE_INDEX|\$SHARD|\$\{\{ matrix\.shard \}\}/, String(index))
      .replace('$CI_NODE_TOTAL', String(total))
    expect(words).not.toContain('$')
    await project.run(...words.split(' ').slice(1))
  }
  // Another machine would only have the blobs.
  await rename(join(project.root, '.vitest/suitecase'), join(project.root, 'elsewhere'))
  const { code, output } = await project.run(...merge.split(' ').slice(1))
  expect(output).toMatch(/Tests {2}1 failed \| 3 passed/)
  expect(code).toBe(1)
  expect((await project.result('b')).status).toBe('failure')
  const outputs = [...sharded.matchAll(/junit\.xml|\.vitest\/suitecase|\.vitest\/blob/g)].map(
    ([name]) => name,
  )
  expect(outputs.filter((name) => !existsSync(join(project.root, name)))).toEqual([])
})
