import { quotePath } from '../request/quote-shell.ts'

/** What runs a file again, or the step on one of its lines, as a POSIX shell takes it; the page is in a browser, which knows of no environment. */
export function rerunCommand(file: string, line?: number): string {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
  const name = process?.env['SUITECASE_ENV']
  return `${name ? `SUITECASE_ENV=${quotePath(name)} ` : ''}npx vitest run ${quotePath(line === undefined ? file : `${file}:${line}`)}`
}
