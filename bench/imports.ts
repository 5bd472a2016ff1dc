import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { median } from './measure.ts'
import { printTarget } from './print.ts'

const ROUNDS = 9

/** Measures the import of the plugin where Vitest is already loaded. The cost of the worker is part of W1. */
export async function benchImports({ folder: cwd }: { folder: string }): Promise<number> {
  const script = `import 'vitest/node'
const started = performance.now()
await import('${new URL('../dist/plugin/index.js', import.meta.url).href}')
console.log(performance.now() - started)`
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const args = ['--input-type=module', '--eval', script]
    times.push(Number((await promisify(execFile)(process.execPath, args, { cwd })).stdout))
  }
  console.log('\nimports')
  return printTarget('import of the plugin', median(times), { limit: 40, unit: ' ms' })
}
