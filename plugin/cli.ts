#!/usr/bin/env node
import { parseArgs } from 'node:util'
import leven from 'leven'
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

/** What was written behind the name of a command. */
type Call = { flags: readonly string[]; config: string | undefined; files: readonly string[] }

type Command = {
  flags?: readonly string[]
  takesConfig?: boolean
  takesFiles?: boolean
  run: (call: Call) => Promise<number>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  init: {
    flags: ['dry-run', 'agents'],
    run: async ({ flags }) =>
      print(
        await initProject(process.cwd(), {
          dryRun: flags.includes('dry-run'),
          agents: flags.includes('agents'),
        }),
      ),
  },
  check: {
    flags: ['json'],
    takesConfig: true,
    takesFiles: true,
    async run({ flags, files, config }) {
      const { checkSuites } = await import('./commands/check.ts')
      const { code, output } = await checkSuites(process.cwd(), {
        files,
        json: flags.includes('json'),
        config,
      })
      print(output)
      return code
    },
  },
  types: {
    takesConfig: true,
    run: async ({ config }) =>
      print(await (await import('./commands/types.ts')).writeTypes(process.cwd(), config)),
  },
  // Editors say how they talk; there is one way.
  'language-server': {
    flags: ['stdio'],
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
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command && !isHelp(name) && !['--version', '-v', 'version'].includes(name))
    return refuse(name, [...Object.keys(COMMANDS), 'serve', '--help', '--version'])
  if (command && isHelp(words[0])) return print(HELP)
  const { flags = [], takesConfig = false, takesFiles = false } = command ?? {}
  const known = [...flags, ...(takesConfig ? ['config'] : []), 'help'].map((option) => `--${option}`)
  const { values, positionals: files } = parseArgs({
    args: [...words],
    options: { config: { type: 'string' } },
    allowPositionals: true,
    strict: false,
  })
  for (const [option, value] of Object.entries(values)) {
    const written = `${option.length === 1 ? '-' : '--'}${option}`
    if (!known.includes(written)) return refuse(written, known)
    const given = typeof value === 'string'
    if (given !== (option === 'config'))
      throw new Error(`\`${written}\` ${given ? 'takes no value' : 'needs a value'}.`)
  }
  if (files[0] !== undefined && !takesFiles) return refuse(files[0], known)
  if (!command) return print(isHelp(name) ? HELP : `${version}\n`)
  requireNode()
  const config = values.config as string | undefined
  return command.run({ flags: Object.keys(values), config, files })
}

function isHelp(word: string | undefined): boolean {
  return ['--help', '-h', 'help'].includes(word ?? '')
}

function refuse(word: string, known: readonly string[]): number {
  const kind = word.startsWith('-') ? 'option' : known.includes('init') ? 'command' : 'argument'
  // Two letters exchanged are a distance of two.
  const meant = known.find((name) => leven(name, word, { maxDistance: 3 }) <= 2)
  const hint = meant ? `Did you mean \`${meant}\`?` : 'See suitecase --help.'
  process.stderr.write(`suitecase: unknown ${kind} \`${escapeControl(word)}\`. ${hint}\n`)
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
