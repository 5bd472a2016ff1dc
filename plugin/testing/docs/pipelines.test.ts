import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProject } from '../fixtures/project.ts'
import { listExamples } from './read-pages.ts'

/** The words of the commands on a page, without the variables of its service, and the files that it keeps. */
function readShards(page: string, total: number) {
  const [, sharded = ''] = ['yaml', 'groovy'].flatMap((language) =>
    listExamples(language, `docs/recipes/${page}.md`).map(({ code }) => code.slice(code.indexOf('\n') + 1)),
  )
  const [shard = '', merge = ''] = [...sharded.matchAll(/npx vitest run (.*?)'?$/gm)].map(
    ([, words = '']) => words,
  )
  const shards = Array.from({ length: total }, (_, index) =>
    shard
      .replace(/\$CI_NODE_INDEX|\$SHARD|\$\{\{ matrix\.shard \}\}/, String(index + 1))
      .replace('$CI_NODE_TOTAL', String(total)),
  )
  const kept = new Set(sharded.match(/junit\.xml|\.vitest\/suitecase|\.vitest\/blob/g))
  return { shards, merge, kept }
}

test.each([
  ['github', 3],
  ['gitlab', 2],
])('the shards for %s make one report', async (page, total) => {
  const { shards, merge, kept } = readShards(page, total)
  const suite = (name: string): string =>
    `suite_name: ${name}\nsteps: [{ name: S, request: { url: '{{echo_url}}/get' }, assert: { status_code: ${name === 'b' ? 404 : 200} } }]`
  await using project = await createProject(
    Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.suite.yaml`, suite(name)])),
  )
  for (const words of shards) {
    expect(words).not.toContain('$')
    await project.run(...words.split(' '))
  }
  // Another machine would only have the blobs.
  await rename(join(project.root, '.vitest/suitecase'), join(project.root, 'elsewhere'))
  const { code, output } = await project.run(...merge.split(' '))
  expect(output).toMatch(/Tests {2}1 failed \| 3 passed/)
  expect(code).toBe(1)
  expect((await project.result('b')).status).toBe('failure')
  expect([...kept].filter((name) => !existsSync(join(project.root, name)))).toEqual([])
})

test('the shards for jenkins run and keep what those for gitlab do', () => {
  expect(readShards('jenkins', 2)).toEqual(readShards('gitlab', 2))
})
