import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from './measure.ts'
import { printTarget } from './print.ts'

const ROUNDS = 9

/** What importing the plugin costs where Vitest itself is there already; what the worker costs is in W1. */
export async function benchImports({ folder }: { folder: string }): Promise<number> {
  const cwd = join(folder, 'imports')
  await mkdir(cwd)
  await writeFile(join(cwd, 'plugin.js'), `import 'vitest/node'\n${measureImport('plugin/index.js')}`)
  console.log('\nimports')
  const plugin = await runOften(['plugin.js'], cwd)
  return printTarget('import of the plugin', plugin, { limit: 40, unit: ' ms' }) ? 1 : 0
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
