import { expect, test } from 'vitest'
import { replaceFs } from '../fixtures/replace-fs.ts'

test.each([
  ['EMFILE', 'cannot be read (EMFILE).'],
  ['EACCES', 'cannot be read (EACCES).'],
  ['ENOENT', 'does not exist.\n  hint: File names are relative to the suite file.'],
])('a file that a suite names and that cannot be opened (%s) says why', async (code, told) => {
  await replaceFs(() => ({
    statSync: () => {
      throw Object.assign(new Error(code), { code })
    },
  }))
  const { loadSuite } = await import('./load-suite.ts')
  const text = 'suite_name: S\nuse: [shared.yaml]\nsteps: [{ name: A, request: { url: http://h/ } }]\n'
  await expect(loadSuite({ path: 'a.suite.yaml', text }, { folder: '/nowhere' })).rejects.toThrow(
    `a.suite.yaml:2:7 error unknown-reference: The file \`shared.yaml\` ${told}`,
  )
})
