import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quotePrintf, quoteShell } from '../request/quote-shell.ts'
import { createLeakFinder } from './find-leaks.ts'
import { createRedactor } from './redactor.ts'

const units = [
  ...'abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_.~+/=%&<>"\'\\ @:;,{}[]!?\n',
  'ä',
  'ß',
  '😀',
  '\u2028',
]
const secrets = fc
  .array(fc.constantFrom(...units), { minLength: 6, maxLength: 60 })
  .map((all) => all.join(''))
  .filter((text) => text.trim() === text && new Set(text).size > 4 && !/^\w+:\/\/|^\w+\s/.test(text))

type Writer = (text: string) => string

const escapeAscii: Writer = (text) =>
  text.replaceAll(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const inner: Writer = (text) => JSON.stringify(text).slice(1, -1)

/** Ways of writing a text in which the start of a text is written as the start of the whole. */
const writers: Record<string, Writer> = {
  plain: (text) => text,
  component: encodeURIComponent,
  'component in lower case': (text) =>
    encodeURIComponent(text).replaceAll(/%../g, (hex) => hex.toLowerCase()),
  form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
  json: inner,
  'json in ASCII': (text) => escapeAscii(inner(text)),
  'json in ASCII with capitals': (text) =>
    escapeAscii(inner(text)).replaceAll(/\\u[0-9a-f]{4}/g, (one) => `\\u${one.slice(2).toUpperCase()}`),
  'json for a script': (text) =>
    inner(text).replaceAll(/[<>&+/']/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  'json of PHP': (text) => inner(text).replaceAll('/', '\\/'),
  xml: (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  shell: (text) => quoteShell(text).slice(1, -1),
  printf: (text) => quotePrintf(Buffer.from(`x${text}`)).slice(2, -1),
}

/** Up to four layers of JSON, of each kind, with any other way of writing around or inside. */
const layered = fc
  .tuple(
    fc.constantFrom(...Object.keys(writers)),
    fc.array(fc.constantFrom('json', 'json in ASCII', 'json of PHP'), { maxLength: 3 }),
    fc.constantFrom('plain', 'component', 'xml', 'shell', 'form'),
  )
  .map(([first, layers, last]) => [first, ...layers, last])

const surroundings = fc.constantFrom(
  ['', ''],
  ['GET /?q=', '&a=1 HTTP/1.1\r\nhost: x\r\n'],
  ['{"k": ', ' }'],
  ['x-other: ', '\r\n'],
  ['curl -d ', ' http://h'],
  ['… ', '… [cut]'],
)

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 1500) }

/** Fewer characters of a secret say little. */
function takeHead(secret: string): string {
  return [...secret].slice(0, 12).join('')
}

test('a secret is never visible, nor its first 12 characters, however it is written and wherever it is cut', () => {
  fc.assert(
    fc.property(secrets, layered, surroundings, fc.nat(), (secret, layers, [before, after], cut) => {
      const write: Writer = (text) => layers.reduce((part, name) => (writers[name] as Writer)(part), text)
      const { redactText } = createRedactor({ secrets: [secret, 'another-secret'] })
      const written = write(secret)
      const whole = redactText(`${before}${written}${after}`)
      expect(whole).not.toContain(written)
      expect(whole).not.toContain(write(takeHead(secret)))
      // Cut anywhere behind the head.
      const head = write(takeHead(secret)).length
      const at = head + (cut % (written.length - head + 1))
      const short = redactText(`${before}${written.slice(0, at)}…`)
      if (secret.length > 12) expect(short).not.toContain(write(takeHead(secret)))
      expect(createLeakFinder([secret]).isIn(short)).toBe(false)
    }),
    runs,
  )
})

test('a secret is never visible in base64, behind any text, wherever it is cut', () => {
  fc.assert(
    fc.property(
      secrets,
      fc.string({ maxLength: 8 }),
      fc.constantFrom('base64', 'base64url' as const),
      fc.nat(),
      (secret, user, encoding, cut) => {
        const { redactText } = createRedactor({ secrets: [secret] })
        const written = Buffer.from(`${user}:${secret}`).toString(encoding as 'base64')
        const decode = (text: string): string => Buffer.from(text, encoding as 'base64').toString()
        const at = cut % written.length
        for (const text of [written, written.slice(0, at)])
          for (const piece of redactText(`Basic ${text}`).slice(6).split('[redacted]'))
            for (const skipped of [0, 1, 2, 3]) {
              expect(decode(piece.slice(skipped))).not.toContain(secret)
              if (secret.length > 14)
                expect(decode(piece.slice(skipped))).not.toContain([...secret].slice(0, 14).join(''))
            }
      },
    ),
    runs,
  )
})

test('a secret under a secret name is never visible in any part of a value, and is known from then on', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant('SECRET'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'id', 'list', '__proto__'), tie('value'), { maxKeys: 3 }),
    ),
  })).value
  fc.assert(
    fc.property(
      secrets,
      value,
      fc.constantFrom('token', 'Authorization', 'client_secret', 'apiKey', 'set-cookie'),
      (secret, shape, name) => {
        const filled = JSON.parse(
          JSON.stringify({ [name]: shape }).replaceAll('"SECRET"', () => JSON.stringify(secret)),
        )
        const redactor = createRedactor()
        redactor.learn(filled)
        const text = JSON.stringify(filled)
        expect(JSON.stringify(redactor.redactJson(filled))).not.toContain(inner(takeHead(secret)))
        expect(redactor.redactSource(text)).not.toContain(inner(takeHead(secret)))
      },
    ),
    runs,
  )
})
