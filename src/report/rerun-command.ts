import { quotePath } from '../request/quote-shell.ts'

/** A POSIX shell command that runs a file again, or the step on one of its lines, as this run was started. In the browser, without the chosen environment and Vitest's options. */
export function rerunCommand(file: string, line?: number): string {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
  const { SUITECASE_ENV: name, SUITECASE_START: start = '' } = process?.env ?? {}
  const [options = '', folder = ''] = start.split('\n')
  const place = `${folder}${line === undefined ? file : `${file}:${line}`}`
  return `${name ? `SUITECASE_ENV=${quotePath(name)} ` : ''}npx vitest run${options} ${quotePath(place)}`
}
