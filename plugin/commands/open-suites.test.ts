import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createProject } from '../testing/fixtures/project.ts'

const module = pathToFileURL(join(import.meta.dirname, 'open-suites.ts')).href

// The language server opens them again at each save.
test('what was closed is not kept in memory, though Node keeps its configuration', async () => {
  const script = `import { setImmediate } from 'node:timers/promises'
import { openSuites } from ${JSON.stringify(module)}

const opened = []
for (let turn = 0; turn < 5; turn++) {
  const { vitest, projects, close } = await openSuites()
  await projects[0].files.index()
  opened.push(new WeakRef(vitest))
  await close()
}
await setImmediate()
gc()
console.log(opened.slice(0, 3).map((one) => one.deref() === undefined).join())
process.exit()
`
  await using project = await createProject({
    'a.suite.yaml': "suite_name: A\nsteps: [{ name: a, request: { url: 'http://h' } }]\n",
    'open.mjs': script,
  })
  expect(await project.execute('--expose-gc', 'open.mjs')).toMatchObject({ output: 'true,true,true\n' })
})
