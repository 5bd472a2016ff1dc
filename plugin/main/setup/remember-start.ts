import { parseArgs } from 'node:util'
import { quotePath } from '../../../src/request/quote-shell.ts'
import { relativePath } from '../../../src/resolve-path.ts'

/** Stores for `rerunCommand` in workers how Vitest was started, and where the folder of shown paths is. */
export function rememberStart(root: string): void {
  const text = { type: 'string' } as const
  const options = { root: { ...text, short: 'r' }, config: { ...text, short: 'c' }, mode: text }
  const { values } = parseArgs({ options, strict: false })
  const given = Object.entries(values).filter(([name]) => name in options)
  const written = given.map(([name, value]) => ` --${name} ${quotePath(String(value).replace(/^=/, ''))}`)
  const folder = relativePath(process.cwd(), `${root}/-`).slice(0, -1)
  process.env['SUITECASE_START'] = `${written.join('')}\n${folder}`
}
