import { quotePath } from '../request/quote-shell.ts'

/** A shell command that runs a file again, or the step on one of its lines (only for the row in the suite's name, if there is one), as this run was started. In the browser, without the chosen environment and Vitest's options. */
export function rerunCommand(file: string, line?: number, suiteName = ''): string {
  const { process } = globalThis as {
    process?: { env: Record<string, string | undefined>; platform: string }
  }
  const { SUITECASE_ENV: name, SUITECASE_START: start = '', SHELL: shell } = process?.env ?? {}
  const [options = '', folder = ''] = start.split('\n')
  const place = `${folder}${line === undefined ? file : `${file}:${line}`}`
  // On Windows, PowerShell is assumed unless `SHELL` names another shell.
  const isPosix = process?.platform !== 'win32' || shell !== undefined
  const chosen = isPosix ? `SUITECASE_ENV=${quotePath(name ?? '')} ` : `$env:SUITECASE_ENV = '${name}'; `
  const [, row] = / \[(\d+): /.exec(suiteName) ?? []
  const filter = row === undefined ? '' : ` -t ${quotePath(`\\[${row}: `)}`
  return `${name ? chosen : ''}npx vitest run${options} ${quotePath(place.replace(/^-/, './-'))}${filter}`
}
