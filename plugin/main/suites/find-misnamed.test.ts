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
