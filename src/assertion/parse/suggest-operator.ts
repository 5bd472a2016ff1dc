import { rememberTexts } from '../../remember.ts'
import leven from 'leven'
import type { Json } from '../../json.ts'
import { otherNames } from '../operators/other-names.ts'
import { operators } from '../operators/operators.ts'
import { isTypeName } from '../operators/type.ts'
import { isSwapped, plainName } from '../../text/suggest.ts'

// A likely field that is one letter away from an operator.
const FIELDS = new Set(['scheme'])

/**
 * The operator an author meant with a name that is none but looks like a slip: other case or underscores; one wrong,
 * missing, extra or swapped letter in a name of five or more; another tool's name with a plain operand. Plurals
 * (`patterns`) are fields.
 */
export function suggestOperator(name: string, hasMap: boolean, operand?: Json): string | undefined {
  const plain = plainName(name)
  // `typ` may well be a field, but hardly one that equals `string`.
  const isType = typeof operand === 'string' && isTypeName(operand)
  if (isType && (leven(plain, 'type') === 1 || isSwapped(plain, 'type'))) return 'type'
  if (!hasMap && Object.hasOwn(otherNames, plain)) return otherNames[plain]
  if (name.length > 40 || FIELDS.has(plain)) return undefined
  return Object.keys(operators).find((operator) => looksLike(plain, plainOperator(operator)))
}

// Every field of every check comes here.
const plainOperator = rememberTexts(1000, plainName)

function looksLike(plain: string, known: string): boolean {
  if (plain === known) return true
  if (plain.length < 4 || known.length < 5 || plain === `${known}s`) return false
  // One letter more or less at most: the others need no closer look.
  if (Math.abs(plain.length - known.length) > 1) return false
  return leven(plain, known, { maxDistance: 2 }) === 1 || isSwapped(plain, known)
}
