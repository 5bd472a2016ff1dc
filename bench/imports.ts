import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from './measure.ts'
import { printTarget } from './print.ts'
import { VITEST, writeSuiteConfig } from './project.ts'

const ROUNDS = 9

/** What importing the plugin (main process) and the runtime (worker) costs where Vitest itself is there already. */
export async function benchImports({ folder }: { folder: string }): Promise<number> {
  const cwd = join(folder, 'imports')
  await mkdir(cwd)
  await writeFile(join(cwd, 'plugin.js'), `import 'vitest/node'\n${measureImport('plugin/index.js')}`)
  await writeFile(
    join(cwd, 'runtime.test.js'),
    `import { test } from 'vitest'\n${measureImport('plugin/runtime.js')}\ntest('imports', () => {})\n`,
  )
  await writeFile(join(cwd, 'vitest.config.ts'), writeSuiteConfig({}))
  console.log('\nimports')
  const plugin = await runOften(['plugin.js'], cwd)
  const runtime = await runOften([VITEST, 'run', '--pool=threads', '--passWithNoTests'], cwd)
  const missed = [
    printTarget('import of the plugin', plugin, { limit: 40, unit: ' ms' }),
    printTarget('import of the runtime', runtime, { limit: 40, unit: ' ms' }),
  ]
  return missed.filter((each) => each).length
}

function measureImport(path: string): string {
  const url = new URL(`../dist/${path}`, import.meta.url).href
  return `const started = performance.now()
await import(/* @vite-ignore */ '${url}')
console.log("took " + (performance.now() - started))
`
}

/** Median of the times that a script prints. */
async function runOften(args: readonly string[], cwd: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd })
    times.push(Number(/took ([\d.]+)/.exec(stdout)?.[1]))
  }
  return median(times)
}
