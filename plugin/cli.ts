#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { initProject } from './init.ts'

const HELP = `suitecase: declarative HTTP tests inside Vitest

Usage:
  suitecase init              add a Vitest config, an example suite and the editor setting; overwrites nothing
  suitecase serve [options]   run the echo server alone (suitecase serve --help lists its options)
  suitecase --help
  suitecase --version

Suites run with Vitest itself: npx vitest
`

/** Runs the command line; the exit code is 2 for a call that makes no sense. */
async function main(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv
  if (command === undefined || command === '--help' || command === '-h' || command === 'help')
    return print(HELP)
  if (command === '--version' || command === '-v') return print(`${readVersion()}\n`)
  if (command === 'init' && rest.length === 0) return print(await initProject(process.cwd()))
  if (command === 'serve') {
    const { serve } = await import('../server/serve.ts')
    return serve(rest)
  }
  const unknown = command === 'init' ? rest[0] : command
  process.stderr.write(
    `suitecase: unknown ${command === 'init' ? 'option' : 'command'} \`${unknown}\`.\n\n${HELP}`,
  )
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

process.exitCode = await main(process.argv.slice(2))
