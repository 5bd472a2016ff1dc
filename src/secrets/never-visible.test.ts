import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Json } from '../json.ts'
import { quotePrintf, quoteShell } from '../request/quote-shell.ts'
import { createLeakFinder } from './find-leaks.ts'
import { searchFor } from './secret-search.ts'
import { createRedactor } from './redactor.ts'

/** The environment variable allows more runs, for a search that takes minutes. */
const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 1000) }

const signs = 'abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_.~+/=%&<>"\'\\ @:;,{}[]!?\n'
const units = [...signs.split(''), 'ä', 'ß', '😀', '\u2028', '%5c', '%25', '&amp;']
const secrets = fc
  .array(fc.constantFrom(...units), { minLength: 6, maxLength: 60 })
  .filter((all) => new Set(all).size > 4)
  .map((all) => ({ secret: all.join(''), head: all.slice(0, 12).join('') }))
  .filter(({ secret }) => secret.trim() === secret && !/^\w+:\/\/|^[\p{L}\w'’]+\s/u.test(secret))

type Writer = (text: string) => string

const inner: Writer = (text) => JSON.stringify(text).slice(1, -1)
const escapeUnit: Writer = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
const ascii: Writer = (text) => inner(text).replaceAll(/[^\0-~]/g, escapeUnit)

/** Ways of writing a text. In all of them, a prefix of the text is written as a prefix of the whole. */
const writers: Record<string, Writer> = {
  plain: (text) => text,
  component: encodeURIComponent,
  'component in lower case': (text) =>
    encodeURIComponent(text).replaceAll(/%../g, (hex) => hex.toLowerCase()),
  form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
  json: inner,
  'json in ASCII': ascii,
  'json in ASCII with capitals': (text) =>
    ascii(text).replaceAll(/\\u[0-9a-f]{4}/g, (one) => `\\u${one.slice(2).toUpperCase()}`),
  'json for a script': (text) => inner(text).replaceAll(/[<>&+/']/g, escapeUnit),
  'json of PHP': (text) => inner(text).replaceAll('/', '\\/'),
  xml: (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  shell: (text) => quoteShell(text).slice(1, -1),
  pattern: (text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('-', '\\x2d'),
  printf: (text) => quotePrintf(Buffer.from(`x${text}`)).slice(2, -1),
}

/** Up to three layers of JSON, with one of the other ways of writing inside and one around. */
const written = fc.record({
  first: fc.constantFrom(...Object.keys(writers)),
  layers: fc.array(fc.constantFrom('json', 'json in ASCII', 'json of PHP'), { maxLength: 3 }),
  last: fc.constantFrom('plain', 'component', 'xml', 'shell', 'form'),
})

const surroundings = fc.constantFrom(
  ['', ''],
  ['GET /?q=', '&a=1 HTTP/1.1\r\nhost: x\r\n'],
  ['{"k": ', ' }'],
  ['x-other: ', '\r\n'],
  ['curl -d ', ' http://h'],
  ['… ', '… [cut]'],
)

test('a secret is never visible, nor its first 12 characters, however it is written and wherever it is cut', () => {
  const cases = fc.record({ secret: secrets, writing: written, around: surroundings, cut: fc.nat() })
  fc.assert(
    fc.property(cases, ({ secret: { secret, head }, writing, around: [before, after], cut }) => {
      const steps = [writing.first, ...writing.layers, writing.last]
      const write: Writer = (text) => steps.reduce((part, name) => (writers[name] as Writer)(part), text)
      const { redactText } = createRedactor({ search: searchFor([secret, 'another-secret']) })
      const whole = redactText(`${before}${write(secret)}${after}`)
      expect(whole).not.toContain(write(secret))
      expect(whole).not.toContain(write(head))
      expect(createLeakFinder(searchFor([secret])).isIn(whole)).toBe(false)
      // Cut anywhere after the head; a secret no longer than its head is whole.
      const shortest = write(head).length
      const kept = write(secret).slice(0, shortest + (cut % (write(secret).length - shortest + 1)))
      const short = redactText(`${before}${kept}…`)
      expect(short).not.toContain(head === secret ? write(secret) : write(head))
      expect(createLeakFinder(searchFor([secret])).isIn(short)).toBe(false)
    }),
    runs,
  )
})

test('a secret is never visible in base64, behind any text, wherever it is cut', () => {
  const cases = fc.record({
    secret: secrets,
    user: fc.string({ maxLength: 8 }),
    encoding: fc.constantFrom('base64', 'base64url'),
    cut: fc.nat(),
  })
  fc.assert(
    fc.property(cases, ({ secret: { secret }, user, encoding, cut }) => {
      const { redactText } = createRedactor({ search: searchFor([secret]) })
      const text = Buffer.from(`${user}:${secret}`).toString(encoding)
      // One or two characters after the head are not a whole group of four.
      const head = secret.length > 15 ? secret.slice(0, 14) : secret
      for (const sent of [text, text.slice(0, cut % text.length)])
        for (const piece of redactText(`Basic ${sent}`).slice(6).split('[redacted]'))
          for (const skipped of [0, 1, 2, 3])
            expect(Buffer.from(piece.slice(skipped), encoding).toString()).not.toContain(head)
    }),
    runs,
  )
})

test('what is under a secret name is never visible in a value, in JSON text and in YAML, and known from then on', () => {
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant('SECRET'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'id', 'list', '__proto__'), tie('value'), { maxKeys: 3 }),
    ),
  }))
  const names = fc.constantFrom('token', 'Authorization', 'client_secret', 'apiKey', 'set-cookie')
  fc.assert(
    fc.property(
      fc.record({ secret: secrets, value, name: names }),
      ({ secret: { secret, head }, value, name }) => {
        const template = JSON.stringify({ a: { [name]: value } })
        const filled = JSON.parse(template.replaceAll('"SECRET"', () => JSON.stringify(secret))) as Json
        const redactor = createRedactor()
        const json = JSON.stringify(filled)
        const yaml = stringify(filled)
        expect(redactor.redactSource(json)).not.toContain(inner(head))
        expect(redactor.redactSource(yaml)).not.toContain(inner(head))
        expect(JSON.stringify(redactor.redactJson(filled))).not.toContain(inner(head))
        redactor.learn(filled)
        expect(redactor.redactText(json)).not.toContain(inner(head))
      },
    ),
    runs,
  )
})
