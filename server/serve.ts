import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { startServer, type EchoServer, type StartOptions } from './start-server.ts'
import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import leven from 'leven'
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
  const server = await start({ port: DEFAULT_PORT, ...parsed }, output)
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

/** A flag: the options that it gives; it throws when its value does not fit. */
type ReadFlag = (value: string, options: StartOptions) => StartOptions

const flags: Record<string, ReadFlag> = {
  host: (host) => {
    if (isIP(host) !== 0 || /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host)) return { host }
    throw new TypeError(`expected an address or a host name, got "${host}"`)
  },
  port: (value) => {
    const port = readNumber(value)
    if (Number.isInteger(port) && port <= 65_535) return { port }
    throw new TypeError(`expected 0 to 65535, got "${value}"`)
  },
  'allow-redirect': (value, { allowedRedirects = [] }) => ({
    allowedRedirects: [...allowedRedirects, value],
  }),
}
// `maxBody` is `--max-body`.
for (const name of numberNames)
  flags[name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)] = (value) => ({
    [name]: readNumber(value),
  })

function parseServeArguments(argv: readonly string[]): StartOptions | 'help' | Error {
  const names = Object.keys(flags).map((name) => [name, { type: 'string', multiple: true } as const])
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...Object.fromEntries(names), help: { type: 'boolean' } },
    strict: false,
    tokens: true,
  })
  const options: StartOptions = {}
  for (const token of tokens) {
    if (token.kind !== 'option') return new Error(`unexpected argument "${argv[token.index] ?? ''}"`)
    if (token.name === 'help') return 'help'
    try {
      Object.assign(options, readFlag(token.name, token.value, options))
    } catch (error) {
      return new Error(`${token.rawName}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return options
}

function readFlag(name: string, value: string | undefined, options: StartOptions): StartOptions {
  const read = Object.hasOwn(flags, name) ? flags[name] : undefined
  if (!read) {
    const meant = [...Object.keys(flags), 'help'].find((flag) => leven(flag, name, { maxDistance: 3 }) <= 2)
    throw new TypeError(`unknown flag${meant ? `, did you mean --${meant}?` : ''}`)
  }
  if (value === undefined) throw new TypeError('expected a value')
  const given = read(value, options)
  if (name !== 'host' && name !== 'port') resolveLimits(given)
  return given
}

function readNumber(value: string): number {
  if (/^[0-9]+(?:\.[0-9]+)?$/.test(value)) return Number(value)
  throw new TypeError(`expected a number, 0 or more, got "${value}"`)
}
