import { quotePath } from '../request/quote-shell.ts'

/** How this run was started. In the browser, without the chosen environment and Vitest's options. */
function readStart(): Record<'env' | 'options' | 'folder' | 'cd' | 'config', string> {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
  const { SUITECASE_ENV: name, SUITECASE_START: start = '' } = process?.env ?? {}
  const [options = '', folder = '', cd = '', config = ''] = start.split('\n')
  return { env: name ? `SUITECASE_ENV=${quotePath(name)} ` : '', options, folder, cd, config }
}

/** A POSIX shell command that runs a file again, or the step on one of its lines, as this run was started. */
export function rerunCommand(file: string, line?: number): string {
  const { env, options, folder } = readStart()
  const place = `${folder}${line === undefined ? file : `${file}:${line}`}`
  return `${env}npx vitest run${options} ${quotePath(place)}`
}

/** A POSIX shell command that finds the mistakes in a file. */
export function checkCommand(file: string): string {
  const { env, cd, config } = readStart()
  return `${cd}${env}npx suitecase check${config} ${quotePath(file)}`
}
