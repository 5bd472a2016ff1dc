import { stringifyJson } from '../../../json.ts'
import type { ResultStatus } from '../../../run/result.ts'

/** Names of statuses as the page writes them. */
export const statusNames: Record<ResultStatus, string> = {
  success: 'passed',
  failure: 'failed',
  skipped: 'skipped',
  not_run: 'not run',
}

export const statuses: readonly ResultStatus[] = ['failure', 'success', 'skipped', 'not_run']

/** Writes a count with its noun: `1 step`, `12 steps`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** Writes any JSON value as people read it: text as it is, the rest as indented JSON. */
export function showValue(value: unknown): string {
  return typeof value === 'string' ? value : (stringifyJson(value, 2) ?? 'undefined')
}
