#!/usr/bin/env node
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { readMessage } from '../src/errors.ts'
import { escapeControlInLines } from '../src/escape-control.ts'
import { didYouMean } from '../src/text/suggest.ts'
import { version } from '../src/version.ts'
import { requireNode } from './main/setup/require-versions.ts'

const HELP = `suitecase: declarative HTTP tests inside Vitest

Usage:
  suitecase init              add the plugin to the Vitest config, an example suite, a script and the editor setting
    --dry-run                   only show what would be done
    --agents                    also add instructions for coding agents
  suitecase check [files]     find mistakes in suite files without sending anything; exits with code 1 on errors
    --json                      print them as JSON
    --config <file>             the Vitest configuration, if Vitest does not find it
  suitecase types             write the schema and types of your own operators and auth schemes (option \`extend\`)
    --config <file>             as above
  suitecase language-server   serve an editor over stdin and stdout
  suitecase serve [options]   run the echo server alone (suitecase serve --help lists its options)
  suitecase --help
  suitecase --version

Suites run with Vitest itself: npx vitest
`

const FLAG = { type: 'boolean', default: false } as const
const CONFIG = { type: 'string' } as const

class UsageError extends Error {}

const COMMANDS: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  async init(args) {
    const { values } = parse({ args, options: { 'dry-run': FLAG, agents: FLAG } })
    // Loaded only after the version of Node was checked.
    const { initProject } = await import('./commands/init.ts')
    return print(initProject(process.cwd(), { dryRun: values['dry-run'], agents: values.agents }))
  },
  async check(args) {
    const options = { json: FLAG, config: CONFIG }
    const { values, positionals: files } = parse({ args, options, allowPositionals: true })
    const { checkSuites } = await import('./commands/check.ts')
    const { code, output } = await checkSuites({ config: undefined, ...values, files })
    print(output)
    return code
  },
  async types(args) {
    const { values } = parse({ args, options: { config: CONFIG } })
    const { writeTypes } = await import('./commands/types.ts')
    return print(await writeTypes(process.cwd(), values.config))
  },
  async 'language-server'(args) {
    // Editors pass `--stdio` to choose the transport. There is no other.
    parse({ args, options: { stdio: FLAG } })
    const { LanguageServer } = await import('./language/server.ts')
    new LanguageServer().listen()
    return 0
  },
  // oxlint-disable-next-line no-restricted-imports -- starts the server
  serve: async (args) => (await import('../server/serve.ts')).serve(args),
}

/** Runs the command line. Resolves to the exit code. */
async function main([name = '--help', ...args]: readonly string[]): Promise<number> {
  if (['--version', '-v', 'version'].includes(name)) return print(`${version}\n`)
  const isHelp = args.includes('--help') || args.includes('-h')
  if (['--help', '-h', 'help'].includes(name) || (isHelp && name !== 'serve')) return print(HELP)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    const known = didYouMean(name, [...Object.keys(COMMANDS), '--help', '--version'])
    throw new UsageError(`unknown command \`${name}\`${known}. Suites run with Vitest: npx vitest`)
  }
  requireNode()
  return command(args)
}

function parse<const Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config)
  } catch (error) {
    // Drops the second sentence of Node's message, which is about values that begin with a hyphen.
    throw new UsageError(readMessage(error).replace(/\. .*$/s, ''))
  }
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader may leave early, as in `suitecase check | head`.
  if (code === 'EPIPE') return
  process.stderr.write(`suitecase: The output cannot be written: ${message}\n`)
  process.exit(1)
})
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof UsageError
  const message = `${readMessage(error).replace(/^suitecase: /, '')}${isUsage ? '. See suitecase --help.' : ''}`
  process.stderr.write(`suitecase: ${escapeControlInLines(message)}\n`)
  process.exitCode = isUsage ? 2 : 1
}
