import type { Scalar } from 'yaml'
import type { Json } from '../../json.ts'
import { reportBroken, type Converted, type NodePlace } from './conversion.ts'

/** Converts a YAML scalar (core schema, YAML 1.2 section 10.3.2) without ever losing a digit. */
export function convertScalar(scalar: Scalar, { state, range }: NodePlace): Converted {
  const { value, source = '' } = scalar
  const keep = (kept: Json): Converted => ({ value: kept, node: { range }, size: 1 })
  if (typeof value === 'bigint') return keep(String(value))
  if (typeof value !== 'number') return keep(value === undefined ? null : (value as Json))
  // As the author wrote it: a leading zero is part of a code or a phone number, not of a number.
  if (scalar.type === 'PLAIN' && /^[-+]?0\d/.test(source)) return keep(source)
  const hint = `Put quotes around it to send it as text: '${source}'.`
  if (/^[-+.]*(nan|inf)/i.test(source))
    return reportBroken(state, range, {
      code: 'bad-number',
      message: `JSON has no number \`${source}\`.`,
      hint,
    })
  const whole = /^[-+]?(\d+|0o[0-7]+|0x[\da-fA-F]+)$/.test(source)
  if (whole && !Number.isSafeInteger(value)) return keep(readDigits(source))
  if (Number.isFinite(value)) return keep(value)
  return reportBroken(state, range, {
    code: 'bad-number',
    message: `The number \`${source}\` cannot be kept exactly.`,
    hint,
  })
}

/** `BigInt` knows a sign only before decimal digits. */
function readDigits(source: string): bigint {
  const digits = BigInt(source.replace(/^[-+]/, ''))
  return source.startsWith('-') ? -digits : digits
}
