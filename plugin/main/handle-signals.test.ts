import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/** Runs code in its own process, where Vitest's listener prints "Vitest has it". Resolves to what it printed. */
async function execute(code: string): Promise<string> {
  const path = new URL('./handle-signals.ts', import.meta.url).href
  const source = `
import { handleSignals } from '${path}'
process.once('SIGTERM', () => {
  console.log('Vitest has it')
  process.exit()
})
const vitest = {
  logger: { log: (text) => console.log(text.trim()), printError: console.error },
  config: {},
  cancelCurrentRun: async () => process.exit(),
}
setTimeout(() => console.log('lost'), 1000)
const send = () => process.kill(process.pid, 'SIGTERM')
${code}`
  const args = ['--no-warnings', '--input-type=module', '--eval', source]
  const { stdout } = await run(process.execPath, args)
  return stdout.trim()
}

test('a signal that arrives while a run starts or ends is not lost', async () => {
  expect(await execute('send(); handleSignals(vitest)')).toBe(
    'SIGTERM: stopping the run. Send it again to stop immediately.',
  )
  expect(await execute('const release = handleSignals(vitest); send(); release()')).toBe('Vitest has it')
})
