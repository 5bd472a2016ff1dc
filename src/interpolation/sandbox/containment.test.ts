import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createEngine } from '../expressions/engine.ts'
import { EngineError } from '../errors.ts'
import { createPlainValues } from '../fixtures/plain-values.ts'

// Code that a time limit of node:vm does not interrupt, or that takes more memory than there is.
const attacks = [
  `(2n ** (2n ** 27n)).toString().length`,
  `(() => { const all = []; for (;;) all.push(all) })()`,
  `(() => { let all = 'x'; for (;;) all += all + Math.random() })()`,
  `[data].map(x => data.list.map(y => data.list.map(z => data.list.map(u => [x, y, z, u]))))`,
  `data.text.includes(data.part + 'b')`,
  `data.list.map(x => data.text.replaceAll('a', data.text))`,
]

const values = createPlainValues({
  data: {
    list: Array.from({ length: 2000 }, (_, i) => i),
    text: 'a'.repeat(2 ** 22),
    part: 'a'.repeat(2 ** 21),
  },
})

describe.each([
  ['vm', 128, attacks],
  ['quickjs', 32, attacks.slice(0, 2)],
] as const)('the %s sandbox', async (sandbox, memoryLimit, sources) => {
  const engine = createEngine({ sandbox, timeout: 100, memoryLimit })
  afterAll(() => engine.dispose())

  test.each(sources)('%s ends alone', { timeout: 60_000 }, (source) => {
    const error = catchError(() => engine.evaluate(source, values))
    // Some of these are quick in one of the engines, which is fine too.
    expect(['timeout', 'memory', 'threw', 'not_data', undefined]).toContain(error?.code)
    expect(engine.evaluate('(() => 1)() + 1', values)).toBe(2)
  })

  test('a text that takes more memory than there is, is refused with the limit and its option', () => {
    const patient = createEngine({ sandbox, timeout: 20_000, memoryLimit })
    const message = catchError(() => patient.evaluate(`'x'.repeat(2**28).split('')`, values))?.message
    expect(message).toBe(`It needs more than ${memoryLimit} MB (option \`limits.memory\`)`)
    expect(patient.evaluate('(() => 1)() + 1', values)).toBe(2)
    patient.dispose()
  })

  test('data loaded before is there again after an end', () => {
    const list = createPlainValues({ list: [1, 2, 3, 4] })
    expect(engine.evaluate('(() => list[2])()', list)).toBe(3)
    expect(catchError(() => engine.evaluate('(() => { for (;;); })()', list))?.message).toBe(
      'It ran longer than 100 ms (option `limits.expression`)',
    )
    expect(engine.evaluate('(() => list[3])()', list)).toBe(4)
  })
})

test('a process loads what Yarn needs to find packages in archives, and no other option of Node', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pnp-'))
  const run = async (name: string): Promise<unknown> => {
    writeFileSync(
      join(folder, name),
      "if (process.argv[1]?.includes('expression-process')) process.exit(7)\n",
    )
    vi.stubEnv('NODE_OPTIONS', `--require ${join(folder, name)}`)
    const engine = createEngine({ sandbox: 'quickjs', timeout: 20_000 })
    try {
      return engine.evaluate('1 + 1', createPlainValues({}))
    } catch (error) {
      return (error as Error).message
    } finally {
      engine.dispose()
      vi.unstubAllEnvs()
    }
  }
  expect(await run('.pnp.cjs')).toBe('The process that runs it ended (exit code 7)')
  expect(await run('other.cjs')).toBe(2)
  rmSync(folder, { recursive: true })
})

test('a process that was killed from outside is replaced', async () => {
  const engine = createEngine({ timeout: 1000 })
  expect(engine.evaluate('(() => 1)()', values)).toBe(1)
  const children = listChildren(process.pid).filter(({ args }) => args.includes('expression-process'))
  for (const { pid } of children) process.kill(pid, 'SIGKILL')
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect(engine.evaluate('(() => 2)()', values)).toBe(2)
  engine.dispose()
})

test('a process that the system does not start fails the expression, and nothing else', async () => {
  // Like a lack of memory, this makes Node throw when it starts the process.
  const engine = createEngine({ timeout: 1000, memoryLimit: '\0' as unknown as number })
  const error = catchError(() => engine.evaluate('(() => 1)()', values))
  expect(error?.message).toMatch(/^The process that runs it ended \(.*null bytes/)
  engine.dispose()
})

test('nothing is left of a process whose parent was killed in the middle of a run', async () => {
  const code = `import { createEngine } from './src/interpolation/expressions/engine.ts'
    const engine = createEngine({ timeout: 2000 })
    const values = { read() {} }
    engine.evaluate('(() => 1)()', values)
    console.log('ready')
    engine.evaluate("'a'.repeat(2**20).replaceAll('a', 'b'.repeat(2**8)).split('').sort()", values)`
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => parent.stdout.once('data', resolve))
  const children = listChildren(parent.pid as number)
  expect(children.map(({ args }) => args).join()).toContain('expression-process')
  parent.kill('SIGKILL')
  await expect.poll(() => children.filter(({ pid }) => isAlive(pid)), { timeout: 20_000 }).toEqual([])
})

test('an idle process keeps nobody from ending, and ends too', () => {
  const code = `import { createEngine } from './src/interpolation/expressions/engine.ts'
    import { execFileSync } from 'node:child_process'
    const engine = createEngine()
    engine.evaluate('(() => 1)()', { read() {} })
    console.log(execFileSync('ps', ['-o', 'pid=', '--ppid', String(process.pid)], { encoding: 'utf8' }))`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
  const pids = output.trim().split(/\s+/).map(Number)
  expect(pids.length).toBeGreaterThan(0)
  return expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual([])
})

function listChildren(parent: number): { pid: number; args: string }[] {
  const table = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], { encoding: 'utf8' })
  const lines = table.trim().split('\n')
  return lines.map((line) => ({ pid: Number.parseInt(line, 10), args: line }))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function catchError(evaluate: () => unknown): EngineError | undefined {
  try {
    evaluate()
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  return undefined
}
