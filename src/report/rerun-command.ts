import { quotePath } from '../request/quote-shell.ts'

/** What runs a file again, or the step on one of its lines, as a shell takes it. */
export function rerunCommand(file: string, line?: number): string {
  return `npx vitest run ${quotePath(line === undefined ? file : `${file}:${line}`)}`
}
