import { createHash, createHmac, randomInt, randomUUID } from 'node:crypto'
import { isError } from '../../errors.ts'
import { parseJson, stringifyJson, type Json } from '../../json.ts'
import { extensionFunctions } from './extension-functions.ts'
import { callFromExpression, noWait } from './wait-for-calls.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** What gives another value each time. */
const draws: Readonly<Record<string, (low: string, high: string) => string | number>> = {
  now: () => Date.now(),
  randomUUID: () => randomUUID(),
  randomInt: (low, high) => randomInt(Number(low), Number(high)),
}

/** Does for a sandbox what it cannot. Text only, so that no host object or error gets in. Answers `=` and a result, or `!` and an error message. */
export function answerSandbox(name: string, ...passed: string[]): string {
  const [first = '', second = '', third = '', fourth = ''] = passed
  try {
    const draw = draws[name]
    if (draw)
      return `=${String(callFromExpression(`${name}(${first},${second})`, () => draw(first, second)))}`
    if (name === 'hash') return `=${createHash(first).update(readBytes(second)).digest(readEncoding(third))}`
    if (name === 'hmac')
      return `=${createHmac(first, readBytes(second)).update(readBytes(third)).digest(readEncoding(fourth))}`
    if (name === 'functions') return `=${JSON.stringify([...extensionFunctions.keys()])}`
    if (name === 'call') {
      // Arguments and result are JSON; an empty text is undefined.
      const call = (): unknown => extensionFunctions.get(first)?.(parseJson(second) as Json[])
      const result = callFromExpression(`${first}(${second})`, call)
      if (result instanceof Promise) throw new Error(`it is asynchronous, and ${noWait('expressions')}.`)
      return result === undefined ? '=' : `=${stringifyJson(result)}`
    }
    if (name === 'btoa') return `=${btoa(first)}`
    // The two characters of base64url are accepted as well: tokens have them now and then.
    const decode = (): string => atob(first.replaceAll('-', '+').replaceAll('_', '/'))
    if (name === 'atob') return `=${decode()}`
    // The bytes are UTF-8, while `atob` gives each as a character.
    if (name === 'decodeBase64') return `=${utf8.decode(Buffer.from(decode(), 'latin1'))}`
    if (name === 'encodeBase64') return `=${Buffer.from(first).toString(readEncoding(second))}`
    if (name === 'URL') return `=${JSON.stringify(readUrl(first, passed[1]))}`
    if (name === 'query') return `=${new URLSearchParams(JSON.parse(first))}`
    if (name === 'params') return `=${JSON.stringify([...new URLSearchParams(JSON.parse(first))])}`
    return `!${name} is not available`
  } catch (error) {
    return `!${name === 'call' ? first : name}: ${isError(error) ? error.message : 'failed'}`
  }
}

function readUrl(value: string, base: string | undefined): Record<string, string> {
  if (!URL.canParse(value, base))
    throw new Error('Expected an absolute URL, or one with a base as second argument')
  const url = new URL(value, base)
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url
  return { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash }
}

function readEncoding(name: string): 'hex' | 'base64' | 'base64url' {
  if (name === 'hex' || name === 'base64' || name === 'base64url') return name
  throw new Error(`Expected the encoding to be hex, base64 or base64url, got \`${name}\``)
}

/** The bytes that a sandbox passes as `utf8:…` or `base64:…`. */
function readBytes(passed: string): Buffer {
  const [, encoding, text = ''] = /^(base64|utf8):(.*)$/s.exec(passed) ?? []
  if (encoding !== 'base64') return Buffer.from(text)
  // Node leaves out what is not base64.
  if (/[^\w+/=\s-]/.test(text)) throw new Error('Expected `base64` to contain base64')
  return Buffer.from(text, 'base64')
}
