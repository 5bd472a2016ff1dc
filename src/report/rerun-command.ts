import { quotePath } from '../request/quote-shell.ts'

/** A POSIX shell command that runs a file again, or the step on one of its lines. In the browser, without the chosen environment. */
export function rerunCommand(file: string, line?: number): string {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
  const name = process?.env['SUITECASE_ENV']
  return `${name ? `SUITECASE_ENV=${quotePath(name)} ` : ''}npx vitest run ${quotePath(line === undefined ? file : `${file}:${line}`)}`
}
