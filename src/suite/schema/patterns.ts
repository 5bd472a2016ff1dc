/** A range of whole numbers. */
export const RANGE: RegExp = /^-?\d{1,9}\.\.-?\d{1,9}$/

/** True for a text with a `{{…}}`. */
export function isTemplate(input: unknown): boolean {
  return typeof input === 'string' && input.includes('{{')
}
