import type { Json } from '../../json.ts'

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': 'less_than',
  '<=': 'less_than_or_equal',
  '>': 'greater_than',
  '>=': 'greater_than_or_equal',
}

/** How a comparison is written: `< 500` is a text. */
export function hintComparison(operand: Json): { hint?: string } {
  const [, sign = '', number] =
    (typeof operand === 'string' && /^\s*([<>]=?)\s*(\d+)\s*$/.exec(operand)) || []
  return number === undefined ? {} : { hint: `Write \`{ ${COMPARISONS[sign]}: ${number} }\`.` }
}
