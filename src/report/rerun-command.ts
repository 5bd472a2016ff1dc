import { quotePath } from '../request/quote-shell.ts'

/** A POSIX shell command that runs a file again, or the step on one of its lines (only for the row in the suite's name, if there is one), as this run was started. In the browser, without the chosen environment and Vitest's options. */
export function rerunCommand(file: string, line?: number, suiteName = ''): string {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
  const { SUITECASE_ENV: name, SUITECASE_START: start = '' } = process?.env ?? {}
  const [options = '', folder = ''] = start.split('\n')
  const place = `${folder}${line === undefined ? file : `${file}:${line}`}`
  const chosen = name ? `SUITECASE_ENV=${quotePath(name)} ` : ''
  const [, row] = / \[(\d+): /.exec(suiteName) ?? []
  const filter = row === undefined ? '' : ` -t ${quotePath(`\\[${row}: `)}`
  return `${chosen}npx vitest run${options} ${quotePath(place.replace(/^-/, './-'))}${filter}`
}
