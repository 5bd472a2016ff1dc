#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import leven from 'leven'
import { escapeControl, escapeControlInLines } from '../src/escape-control.ts'
import { initProject } from './commands/init.ts'
import { PIPELINES } from './commands/pipelines.ts'
import { refuseNode } from './commands/project-facts.ts'

const HELP = `suitecase: declarative HTTP tests inside Vitest

Usage:
  suitecase init              add the plugin to the Vitest config, an example suite, a script and the editor setting
    --dry-run                   only say what would be done
    --agents                    add instructions for coding agents, too
    --github, --gitlab, --jenkins   add a file that runs the tests there, too
  suitecase check [files]     find all mistakes in suite files; nothing is sent, and errors give the exit code 1
    --json                      print them as JSON
  suitecase types             write schema and types of the operators and auth schemes of your own (option \`extend\`)
  suitecase language-server   serve an editor over stdin and stdout
  suitecase serve [options]   run the echo server alone (suitecase serve --help lists its options)
  suitecase --help
  suitecase --version

Suites run with Vitest itself: npx vitest
`

const COMMANDS = ['init', 'check', 'types', 'language-server', 'serve', '--help', '--version']

/** Options by command. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  init: ['--dry-run', '--agents', ...Object.keys(PIPELINES), '--help'],
  check: ['--json', '--help'],
  types: ['--help'],
  // Editors say how they talk; there is one way.
  'language-server': ['--stdio', '--help'],
}

/** Runs the command line; the exit code is 2 for a call that makes no sense, 1 for one that failed. */
async function main([command, ...rest]: readonly string[]): Promise<number> {
  if (command === 'serve') {
    const { serve } = await import('../server/serve.ts')
    return serve(rest)
  }
  if (command === undefined) return print(HELP)
  if (!COMMANDS.includes(command) && !isHelp(command) && !isVersion(command)) return refuse(command, COMMANDS)
  const options = Object.hasOwn(OPTIONS, command) ? OPTIONS[command] : undefined
  if (options && isHelp(rest[0])) return print(HELP)
  const isFile = (word: string): boolean => command === 'check' && !word.startsWith('-')
  const unknown = rest.find((word) => !options?.includes(word) && !isFile(word))
  if (unknown !== undefined) return refuse(unknown, options ?? [])
  if (isHelp(command)) return print(HELP)
  if (isVersion(command)) return print(`${readVersion()}\n`)
  const old = refuseNode(process.versions.node)
  if (old !== undefined) throw new Error(old)
  if (command === 'language-server') {
    const { startLanguageServer } = await import('./language/server.ts')
    startLanguageServer()
    return 0
  }
  if (command === 'types') {
    const { writeTypes } = await import('./commands/types.ts')
    return print(await writeTypes(process.cwd()))
  }
  return command === 'init' ? init(rest) : check(rest)
}

async function init(words: readonly string[]): Promise<number> {
  return print(
    await initProject(process.cwd(), {
      dryRun: words.includes('--dry-run'),
      agents: words.includes('--agents'),
      pipelines: words.filter((word) => Object.hasOwn(PIPELINES, word)),
    }),
  )
}

async function check(words: readonly string[]): Promise<number> {
  const { checkSuites } = await import('./commands/check.ts')
  const files = words.filter((word) => !word.startsWith('-'))
  const { code, output } = await checkSuites(process.cwd(), { files, json: words.includes('--json') })
  print(output)
  return code
}

function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h' || word === 'help'
}

function isVersion(word: string): boolean {
  return word === '--version' || word === '-v' || word === 'version'
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

function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`suitecase: ${escapeControlInLines(message)}\n`)
  process.exitCode = 1
}
