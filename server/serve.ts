import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { parseArgs } from 'node:util'
import { numberNames } from './limits.ts'
import { startServer, type EchoServer, type StartOptions } from './start-server.ts'

const HELP = `Usage: suitecase serve [options]

Runs the echo server until it gets SIGINT or SIGTERM.

  --host <address>         address to listen on             [127.0.0.1]
  --port <number>          port, 0 for a free one           [8080]
  --max-body <bytes>       largest request body             [10485760]
  --max-delay <seconds>    longest delay                    [10]
  --max-bytes <bytes>      longest generated response       [102400]
  --max-items <number>     most lines, events or links      [100]
  --max-parts <number>     most fields or parts of a form   [10000]
  --allow-redirect <origin>  origin that /redirect-to may name; may be repeated
  -h, --help               show this help
`

/**
 * Runs the command `suitecase serve`: prints the server's address and serves until SIGINT or SIGTERM.
 * Resolves to the exit code: 0 after a signal or `--help`, 2 for a bad flag, 1 when it cannot listen.
 * @param argv the arguments after `serve`
 */
export async function serve(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(HELP)
    return 0
  }
  let server: EchoServer
  try {
    const options = readFlags(argv)
    // This process only serves. Bursts of connections would enlarge V8's young generation by 100 MB for good.
    setFlagsFromString('--semi-space-growth-factor=1')
    server = await startServer(options)
  } catch (error) {
    // The options of `startServer` are flags here.
    const message = (error as Error).message
      .replace(/the `max(\w+)` option/, (_, what: string) => `\`--max-${what.toLowerCase()}\``)
      .replace('the `host` option', '`--host`')
      .replace('each of `allowedRedirects`', '`--allow-redirect`')
      .replace(/ \(\w+\)$/, '')
    // Bad flags and values are TypeErrors. All others come from `listen`.
    const isBadFlag = error instanceof TypeError
    const text = isBadFlag ? `${message}\nSee suitecase serve --help.` : `cannot listen: ${message}`
    process.stderr.write(`suitecase serve: ${text}\n`)
    return isBadFlag ? 2 : 1
  }
  const signal = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  process.stdout.write(`Echo server listening on ${server.url}\n`)
  await signal
  await server.close()
  return 0
}

function readFlags(argv: readonly string[]): StartOptions {
  const flags = numberNames.map((name) => [name, name.replace('max', 'max-').toLowerCase()] as const)
  const { values } = parseArgs({
    args: [...argv],
    options: {
      ...Object.fromEntries(flags.map(([, flag]) => [flag, { type: 'string' as const }])),
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '8080' },
      'allow-redirect': { type: 'string', multiple: true, default: [] },
    },
  })
  const { host, port: portText, 'allow-redirect': allowedRedirects } = values
  const port = readNumber(portText)
  if (typeof port === 'string' || !Number.isInteger(port) || port > 65_535)
    throw new TypeError(`Expected \`--port\` to be 0 to 65535, got \`${portText}\``)
  const given = flags.filter(([, flag]) => flag in values)
  const limits = given.map(([name, flag]) => [name, readNumber(String(Reflect.get(values, flag)))])
  return { ...Object.fromEntries(limits), host, port, allowedRedirects }
}

/** Converts a number. Keeps any other text, so that the error can show it. */
function readNumber(value: string): number | string {
  return /^[0-9]+(?:\.[0-9]+)?$/.test(value) ? Number(value) : value
}
