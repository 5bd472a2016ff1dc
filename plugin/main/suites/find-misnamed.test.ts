import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../src/fixtures/make-folder.ts'
import { resolveOptions } from '../../contract/options.ts'
import { findMisnamed } from './find-misnamed.ts'
import { SuiteFiles } from './suite-files.ts'

test('a folder that is gone since its suites were found hides no other', async () => {
  const root = makeFolder({ 'users.yaml': 'suite_name: Users\n' })
  const files = new SuiteFiles({ root, shownFrom: root }, resolveOptions(), async () => [
    join(root, 'gone/a.suite.yaml'),
  ])
  const found = await findMisnamed(files, { projects: [] })
  expect(found.map(({ hint }) => hint)).toEqual(['Name the file `users.suite.yaml`, or add it to `include`.'])
})

test('a suite that another one calls is not misnamed, even with a blank in its path', async () => {
  const text = 'suite_name: S\nbase_url: http://a.example\nsteps:\n  - { name: In, '
  const root = makeFolder({
    'a.suite.yaml': `${text}call: { suite: 'shared flow.yaml' } }\n`,
    'c.suite.yaml': `${text}call: { suite: other flow.yaml } }\n`,
    'b.suite.yaml': `${text}call: { suite: broken.yaml }, unknown: 1 }\n`,
    'broken.yaml': `${text}request: { url: / } }\n`,
    'users.yaml': `${text}request: { url: / } }\n`,
    'other flow.yaml': `${text}request: { url: / } }\n`,
    'shared flow.yaml': `${text}request: { url: / } }\n`,
  })
  const suites = ['a.suite.yaml', 'b.suite.yaml', 'c.suite.yaml'].map((name) => join(root, name))
  const files = new SuiteFiles({ root, shownFrom: root }, resolveOptions(), async () => suites)
  const found = await findMisnamed(files, { projects: [] })
  expect(found.map(({ hint }) => hint)).toEqual(['Name the file `users.suite.yaml`, or add it to `include`.'])
})
