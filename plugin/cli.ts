#!/usr/bin/env node
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { readMessage } from '../src/errors.ts'
import { escapeControl, escapeControlInLines } from '../src/escape-control.ts'
import { version } from '../src/version.ts'
import { initProject } from './commands/init.ts'
import { requireNode } from './main/setup/require-versions.ts'

const HELP = `suitecase: declarative HTTP tests inside Vitest

Usage:
  suitecase init              add the plugin to the Vitest config, an example suite, a script and the editor setting
    --dry-run                   only say what would be done
    --agents                    add instructions for coding agents, too
  suitecase check [files]     find all mistakes in suite files; nothing is sent, and errors give the exit code 1
    --json                      print them as JSON
    --config <file>             the Vitest configuration, where it has another name
  suitecase types             write schema and types of the operators and auth schemes of your own (option \`extend\`)
    --config <file>             as above
  suitecase language-server   serve an editor over stdin and stdout
  suitecase serve [options]   run the echo server alone (suitecase serve --help lists its options)
  suitecase --help
  suitecase --version

Suites run with Vitest itself: npx vitest
`

const FLAG = { type: 'boolean' } as const
const CONFIG = { config: { type: 'string' } } as const

type Command = {
  options: NonNullable<ParseArgsConfig['options']>
  takesFiles?: boolean
  run: (given: Given) => Promise<number>
}

/** What is written behind the name of a command. */
type Given = {
  values: { config?: string } & Readonly<Record<string, string | boolean | undefined>>
  files: readonly string[]
}

const COMMANDS: Readonly<Record<string, Command>> = {
  init: {
    options: { 'dry-run': FLAG, agents: FLAG },
    run: async ({ values }) =>
      print(
        await initProject(process.cwd(), {
          dryRun: values['dry-run'] === true,
          agents: values['agents'] === true,
        }),
      ),
  },
  check: {
    options: { json: FLAG, ...CONFIG },
    takesFiles: true,
    async run({ values, files }) {
      const { checkSuites } = await import('./commands/check.ts')
      const asked = { files, json: values['json'] === true, config: values.config }
      const { code, output } = await checkSuites(process.cwd(), asked)
      print(output)
      return code
    },
  },
  types: {
    options: CONFIG,
    run: async ({ values }) =>
      print(await (await import('./commands/types.ts')).writeTypes(process.cwd(), values.config)),
  },
  // Editors say how they talk; there is one way.
  'language-server': {
    options: { stdio: FLAG },
    async run() {
      const { startLanguageServer } = await import('./language/server.ts')
      startLanguageServer()
      return 0
    },
  },
}

/** Runs the command line; the exit code is 2 for a call that makes no sense, 1 for one that failed. */
async function main([name = '--help', ...words]: readonly string[]): Promise<number> {
  if (name === 'serve') return (await import('../server/serve.ts')).serve(words)
  if (['--version', '-v', 'version'].includes(name)) return print(`${version}\n`)
  const isHelp = ['--help', '-h', 'help'].includes(name) || words.includes('--help') || words.includes('-h')
  if (isHelp) return print(HELP)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) return refuse(`unknown command \`${escapeControl(name)}\``)
  const call = readCall(words, command)
  if (typeof call === 'string') return refuse(call)
  requireNode()
  return command.run(call)
}

/** Gives words for a call that makes no sense. */
function readCall(words: readonly string[], { options, takesFiles = false }: Command): Given | string {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: takesFiles })
    return { values: values as Given['values'], files: positionals }
  } catch (error) {
    // The second sentence of Node's message is about files whose names begin with a hyphen.
    return escapeControl(readMessage(error).replace(/\. .*$/s, ''))
  }
}

function refuse(why: string): number {
  process.stderr.write(`suitecase: ${why}. See suitecase --help.\n`)
  return 2
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`suitecase: ${escapeControlInLines(readMessage(error).replace(/^suitecase: /, ''))}\n`)
  process.exitCode = 1
}
