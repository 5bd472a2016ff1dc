#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import leven from 'leven'
import { escapeControl, escapeControlInLines } from '../src/escape-control.ts'
import { initProject } from './init.ts'

const HELP = `suitecase: declarative HTTP tests inside Vitest

Usage:
  suitecase init              add a Vitest config, an example suite and the editor setting; overwrites nothing
  suitecase serve [options]   run the echo server alone (suitecase serve --help lists its options)
  suitecase --help
  suitecase --version

Suites run with Vitest itself: npx vitest
`

const COMMANDS = ['init', 'serve', '--help', '--version']

/** Runs the command line; the exit code is 2 for a call that makes no sense, 1 for one that failed. */
async function main([command, ...rest]: readonly string[]): Promise<number> {
  if (command === 'serve') {
    const { serve } = await import('../server/serve.ts')
    return serve(rest)
  }
  if (command === undefined) return print(HELP)
  if (command === 'init' && isHelp(rest[0])) return print(HELP)
  const known = command === 'init' || isHelp(command) || isVersion(command)
  if (!known) return refuse(command, COMMANDS)
  if (rest[0] !== undefined) return refuse(rest[0], command === 'init' ? ['--help'] : [])
  if (isHelp(command)) return print(HELP)
  if (isVersion(command)) return print(`${readVersion()}\n`)
  return print(await initProject(process.cwd()))
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
