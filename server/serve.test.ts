import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { serve } from './serve.ts'
import { startServer } from './start-server.ts'

const program = `import { serve } from ${JSON.stringify(new URL('serve.ts', import.meta.url).href)}
process.exit(await serve(process.argv.slice(1)))`

function run(...argv: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, ['--input-type=module', '--eval', program, '--', ...argv])
}

async function collect(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const code = await serve(argv)
  const said = { code, out: out.mock.calls.join(''), err: err.mock.calls.join('') }
  vi.restoreAllMocks()
  return said
}

describe('serve', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`prints its address, and exits 0 on ${signal} with connections open`, async () => {
      const child = run('--port', '0', '--max-delay=20')
      const [line] = await once(child.stdout, 'data')
      const url = /http:\/\/127\.0\.0\.1:(\d+)\n$/.exec(String(line))
      const socket = connect(Number(url?.[1]), '127.0.0.1')
      const answered: Buffer[] = []
      socket.on('error', () => socket.destroy()).on('data', (bytes) => answered.push(bytes))
      socket.write('GET /delay/20 HTTP/1.1\r\nHost: a\r\n\r\n')
      await expect(fetch(`${url?.[0].trim()}/get`).then((answer) => answer.status)).resolves.toBe(200)
      child.kill(signal)
      expect(await once(child, 'exit')).toEqual([0, null])
      expect(answered).toEqual([])
    })
  }

  test('exits 0 on a signal that follows the address at once', async () => {
    const child = run('--port', '0')
    child.stdout.once('data', () => child.kill('SIGTERM'))
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test.each(['--help', '-h'])('says in %s what it can do', async (flag) => {
    const { code, out } = await collect(flag)
    expect(code).toBe(0)
    expect(out).toContain('--max-body <bytes>')
  })

  test.each([
    [['--port'], "'--port <value>' argument missing"],
    [['--port', 'abc'], 'Expected `--port` to be 0 to 65535, got `abc`'],
    [['--port=70000'], 'Expected `--port` to be 0 to 65535, got `70000`'],
    [['--max-body=-1'], 'Expected `--max-body` to be an integer from 0 to 33554432, got `-1`'],
    [['--max-body=1.5'], 'Expected `--max-body` to be an integer from 0 to 33554432, got `1.5`\n'],
    [['--max-delay', '1e9'], 'Expected `--max-delay` to be a number from 0 to 2147483, got `1e9`\n'],
    [['--port=80.5'], 'Expected `--port` to be 0 to 65535, got `80.5`'],
    [['--port='], 'Expected `--port` to be 0 to 65535, got ``'],
    [['--port=-1'], 'Expected `--port` to be 0 to 65535, got `-1`'],
    [['--host='], 'Expected `--host` to be an address or a name, got ``'],
    [['--allow-redirect', 'ftp://x'], 'Expected `--allow-redirect` to be an http(s) origin, got `ftp://x`'],
    [['--prot=80'], "Unknown option '--prot'"],
    [['80'], "Unexpected argument '80'"],
  ])('refuses %j', async (argv, message) => {
    const { code, err } = await collect(...argv)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  test('exits 1 when the port is taken', async () => {
    await using other = await startServer()
    const { code, err } = await collect('--port', String(other.port))
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('EADDRINUSE') })
  })
})
