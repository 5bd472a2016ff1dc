import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { quotePath } from '../../../src/request/quote-shell.ts'

/** The options of Vitest without which a command would find another configuration, environment or folder. */
const options = {
  root: { type: 'string', short: 'r' },
  config: { type: 'string', short: 'c' },
  mode: { type: 'string' },
} as const

/** Keeps, for `rerunCommand` in all workers, with which of these options Vitest was started, and where the folder of shown paths is. */
export function rememberStart(root: string): void {
  const { values } = parseArgs({ options, strict: false })
  const given = Object.entries(values).filter(([name, value]) => name in options && typeof value === 'string')
  const written = given.map(([name, value]) => ` --${name} ${quotePath(String(value).replace(/^=/, ''))}`)
  const folder = relative(process.cwd(), root).replaceAll('\\', '/')
  process.env['SUITECASE_START'] = `${written.join('')}\n${folder && `${folder}/`}`
}
