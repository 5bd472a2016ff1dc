import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { startServer, type EchoServer, type StartOptions } from './start-server.ts'
import { parseArgs } from 'node:util'
import { numberNames, resolveLimits } from './limits.ts'

const DEFAULT_PORT = 8080

const HELP = `Usage: suitecase serve [options]

Runs the echo server until it gets SIGINT or SIGTERM.

  --host <address>         address to listen on             [127.0.0.1]
  --port <number>          port, 0 for a free one           [8080]
  --max-body <bytes>       largest request body             [10485760]
  --max-total-body <bytes>  all unfinished bodies together  [268435456]
  --max-delay <seconds>    longest delay                    [10]
  --max-bytes <bytes>      longest generated answer         [102400]
  --max-items <number>     most lines, events or links      [100]
  --max-parts <number>     most fields or parts of a form   [10000]
  --max-keys <number>      most keys of /flaky, /sequence   [10000]
  --allow-redirect <origin>  origin that /redirect-to may name; may be repeated
  --help                   this text
`

/** Where the command writes. */
export interface ServeOutput {
  print: (text: string) => void
  printError: (text: string) => void
}

const CONSOLE: ServeOutput = {
  print: (text) => void process.stdout.write(text),
  printError: (text) => void process.stderr.write(text),
}

/**
 * The command `suitecase serve`: prints the server's address and runs until SIGINT or SIGTERM.
 * Resolves to the exit code: 0 after a signal or `--help`, 2 for a bad flag, 1 when it cannot listen.
 * @param argv the arguments after `serve`
 */
export async function serve(argv: readonly string[], output: ServeOutput = CONSOLE): Promise<number> {
  const parsed = parseServeArguments(argv)
  if (parsed === 'help') {
    output.print(HELP)
    return 0
  }
  if (parsed instanceof Error) {
    output.printError(`suitecase serve: ${parsed.message}\nSee suitecase serve --help.\n`)
    return 2
  }
  // V8's young generation stays small in a process that only serves: bursts of connections would make it grow by about 100 MB, for good.
  setFlagsFromString('--semi-space-growth-factor=1')
  const server = await start(parsed, output)
  if (!server) return 1
  output.print(`Echo server listening on ${server.url}\n`)
  await untilSignal()
  await server.close()
  return 0
}

async function start(options: StartOptions, output: ServeOutput): Promise<EchoServer | undefined> {
  try {
    return await startServer(options)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    output.printError(`suitecase serve: cannot listen: ${reason}\n`)
    return undefined
  }
}

async function untilSignal(): Promise<void> {
  const stopped = new AbortController()
  const { signal } = stopped
  await Promise.race([once(process, 'SIGINT', { signal }), once(process, 'SIGTERM', { signal })])
  stopped.abort()
}

const flags = {
  host: { type: 'string' },
  port: { type: 'string', default: String(DEFAULT_PORT) },
  'allow-redirect': { type: 'string', multiple: true },
  help: { type: 'boolean' },
} as const

/** `maxBody` is `--max-body`. */
const numberFlags = numberNames.map(
  (name) => [name, name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)] as const,
)

function parseServeArguments(argv: readonly string[]): StartOptions | 'help' | Error {
  try {
    const numbers = Object.fromEntries(numberFlags.map(([, flag]) => [flag, { type: 'string' as const }]))
    const { values } = parseArgs({ args: [...argv], options: { ...numbers, ...flags } })
    if (values.help) return 'help'
    const { host, 'allow-redirect': allowedRedirects } = values
    const port = readNumber(values.port)
    if (!(port <= 65_535)) throw new TypeError(`Expected \`--port\` to be 0 to 65535, got \`${values.port}\``)
    const limits = Object.fromEntries(
      numberFlags.flatMap(([name, flag]) => {
        const value = (values as Record<string, unknown>)[flag]
        return value === undefined ? [] : [[name, readNumber(value as string)]]
      }),
    )
    const options = { ...limits, ...(allowedRedirects && { allowedRedirects }) }
    resolveLimits(options)
    return { ...options, ...(host !== undefined && { host }), port }
  } catch (error) {
    return error as Error
  }
}

function readNumber(value: string): number {
  return /^[0-9]+(?:\.[0-9]+)?$/.test(value) ? Number(value) : Number.NaN
}
