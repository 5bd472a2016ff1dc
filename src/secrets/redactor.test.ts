import { describe, expect, test } from 'vitest'
import type { Json } from '../json.ts'
import { embedInUrl } from '../request/build/build-url.ts'
import { quotePrintf, quoteShell } from '../request/quote-shell.ts'
import { createLeakFinder } from './find-leaks.ts'
import { searchFor } from './secret-search.ts'
import { isOpenSetting } from './secret-names.ts'
import { createRedactor } from './redactor.ts'

/** The places that the leak check names, with the secret in each. */
function listLeaks(secrets: readonly string[], value: Json): { path: string; secret: string }[] {
  const finder = createLeakFinder(searchFor(secrets))
  const leaks: { path: string; secret: string }[] = []
  finder.replaceInJson(value, (text, path) => {
    leaks.push({ path, secret: finder.findSecret(text) })
    return text
  })
  return leaks
}

const secret = `p@ss/wörd "quoted" & 'more' + 100%?`

describe('redactText', () => {
  const { redactText } = createRedactor({ search: searchFor([secret]) })
  const spellings: Record<string, string> = {
    plain: secret,
    'JSON-escaped': JSON.stringify(secret),
    'JSON in JSON': JSON.stringify(JSON.stringify(secret)),
    'URL-encoded': encodeURIComponent(secret),
    'URL-encoded in lower case': encodeURIComponent(secret).replaceAll(/%../g, (hex) => hex.toLowerCase()),
    'form-encoded': new URLSearchParams({ a: secret }).toString(),
    'in a parsed URL': `http://x/?a=${secret}`,
    'as userinfo': `http://user:${encodeURIComponent(secret)}@host/`,
    base64: Buffer.from(secret).toString('base64'),
    base64url: Buffer.from(secret).toString('base64url'),
    'Basic auth': Buffer.from(`user:${secret}`).toString('base64'),
    'Basic auth, next alignment': Buffer.from(`user2:${secret}`).toString('base64'),
    'Basic auth, last alignment': Buffer.from(`user22:${secret}`).toString('base64'),
    'JSON in JSON in JSON in JSON': JSON.stringify(JSON.stringify(JSON.stringify(JSON.stringify(secret)))),
    'JSON in base64': Buffer.from(JSON.stringify({ password: secret })).toString('base64'),
    'base64 of latin-1': Buffer.from(secret, 'latin1').toString('base64'),
    'in a query, as few signs escaped as possible': `x=${embedInUrl(secret, 'http://h/?x=')}`,
    'URL-encoded and shell-quoted': quoteShell(`http://h/?x=${encodeURIComponent(secret)}`),
    'JSON-escaped and shell-quoted': quoteShell(JSON.stringify(secret)),
    'as bytes for printf': `printf ${quotePrintf(Buffer.from(`\0${secret}`))}`,
    'shell-quoted': `curl -d '${secret.replaceAll("'", String.raw`'\''`)}'`,
    'in single quotes of YAML': `'${secret.replaceAll("'", "''")}'`,
    XML: secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&apos;'),
  }
  for (const [name, text] of Object.entries(spellings)) {
    test(`hides a secret ${name}`, () => {
      const shown = redactText(`before ${text} after`)
      expect(shown).toMatch(/^before .*\[redacted\].* after$/)
      expect(createLeakFinder(searchFor([secret])).isIn(shown)).toBe(false)
    })
  }

  test('hides overlapping and adjacent secrets as one', () => {
    const { redactText } = createRedactor({ search: searchFor(['abcdef', 'defghi', 'xyzw', 'abcdefgh']) })
    expect(redactText('1 abcdefghi 2 xyzwxyzw 3 xyz')).toBe('1 [redacted] 2 [redacted] 3 xyz')
  })

  test('hides every long line of a secret of several lines', () => {
    const key = `-----BEGIN KEY-----\n  ${'k'.repeat(30)}\nshort\n-----END KEY-----\n`
    const { redactText } = createRedactor({ search: searchFor([key]) })
    expect(redactText(`-${'k'.repeat(30)}\n- short`)).toBe('-[redacted]\n- short')
    expect(redactText(JSON.stringify({ key }))).toBe('{"key":"[redacted]"}')
  })

  test('learns from values that share parts, however often they do', () => {
    let shared: Json = [{ token: 'tok-inside' }, 'by-name']
    for (let level = 0; level < 60; level += 1) shared = [shared, shared]
    const redactor = createRedactor()
    redactor.learn({ open: shared, secret: shared })
    expect(redactor.redactText('tok-inside by-name')).toBe('[redacted] [redacted]')
  })

  test('hides what a preview leaves of a short secret', () => {
    const { redactText: hide } = createRedactor({
      search: searchFor(['hunter2-xyz', 'a-token-of-24-characters']),
    })
    expect(hide('"b":"hunter2-xy… "hunte… "hunter… "a-token-of-… "hunter2 too"')).toBe(
      '"b":"[redacted] "hunte… "[redacted] "a-token-of-… "hunter2 too"',
    )
  })

  test('does not search for secrets of fewer than four characters', () => {
    expect(createRedactor({ search: searchFor(['abc', '']) }).redactText('abcabc')).toBe('abcabc')
  })

  test('hides a secret as long as a file, also where it is encoded', () => {
    const long = Array.from({ length: 30_000 }, (_, index) => `${index}/ü`).join('')
    const redactor = createRedactor()
    redactor.learn({ token: long })
    expect(redactor.redactText(`a ${long.slice(0, 200_000)} b`)).toMatch(/^a \[redacted\].{0,8192} b$/)
    expect(redactor.redactText(`a ${encodeURIComponent(long)} b`).length).toBeLessThan(20_000)
  })

  test('survives secrets with lone surrogates, NUL and regular expression signs', () => {
    const { redactText } = createRedactor({ search: searchFor(['\ud800abc\0.*', '(((((', '$&$1']) })
    expect(redactText('x\ud800abc\0.*y((((($&$1')).toBe('x[redacted]y[redacted]')
  })

  test('takes time linear in the text with thousands of secrets', () => {
    const secrets = Array.from({ length: 3000 }, (_, index) => `eyJhbGciOi-${index}-secret`)
    const { redactText } = createRedactor({ search: searchFor(secrets) })
    const text = 'eyJhbGciOi-'.repeat(400_000)
    expect(redactText(text)).toBe(text)
    expect(redactText(`${text}7-secret`)).toBe(`${text.slice(0, -11)}[redacted]`)
  })
})

test('of a cookie its value is a secret, and not the words for what it is', () => {
  const redactor = createRedactor()
  redactor.learn({ 'set-cookie': 'sid=a-long-session-id; Secure; Partitioned; Domain=example.org' })
  expect(redactor.redactText('a-long-session-id is Partitioned on example.org')).toBe(
    '[redacted] is Partitioned on example.org',
  )
})

describe('redactJson', () => {
  test('hides values under secret names at any depth, whatever their type but boolean and null', () => {
    const { redactJson } = createRedactor()
    expect(
      redactJson({
        Authorization: 'Bearer abc',
        user: { password: 12_345, client_secret: 'x', accessToken: ['a', { b: 'c' }], token: null },
        'X-Api-Key': 'k',
        'set-cookie': ['a=1', 'b=2'],
        token_type: 'bearer',
        revoke_all_tokens: true,
        tokenizer: 'x',
        api_keys: ['q', 7],
        usage: { tokens: 1024, token: 1024, credentials: { pin: 1024 } },
      }),
    ).toEqual({
      Authorization: '[redacted]',
      user: {
        password: '[redacted]',
        client_secret: '[redacted]',
        accessToken: ['[redacted]', { b: '[redacted]' }],
        token: null,
      },
      'X-Api-Key': '[redacted]',
      'set-cookie': ['[redacted]', '[redacted]'],
      token_type: 'bearer',
      revoke_all_tokens: true,
      tokenizer: 'x',
      api_keys: ['[redacted]', '[redacted]'],
      usage: { tokens: 1024, token: '[redacted]', credentials: { pin: '[redacted]' } },
    })
  })

  test('leaves readable whose credentials are, and hides all else in them', () => {
    const credentials = {
      username: 'ada',
      client_id: 'shop-1',
      password: 'pass-1',
      pin: 4711,
      admin: { email: 'root@example.org', key: 'k-1' },
    }
    const { redactJson } = createRedactor()
    expect(redactJson({ credentials, loginCredentials: [{ user: 'ada', code: 'c-1' }] })).toEqual({
      credentials: {
        username: 'ada',
        client_id: 'shop-1',
        password: '[redacted]',
        pin: '[redacted]',
        admin: { email: 'root@example.org', key: '[redacted]' },
      },
      loginCredentials: [{ user: 'ada', code: '[redacted]' }],
    })
    expect(redactJson({ credentials: 'ada:pass-1', secret: { username: 'ada' } })).toEqual({
      credentials: '[redacted]',
      secret: { username: '[redacted]' },
    })
    const named = createRedactor({ names: ['credentials'] })
    expect(named.redactJson({ credentials: { username: 'ada' } })).toEqual({
      credentials: { username: '[redacted]' },
    })
    const learning = createRedactor()
    learning.learn({ credentials })
    expect(learning.redactText('shop-1 pass-1 4711')).toBe('shop-1 [redacted] [redacted]')
  })

  test('hides known values in strings, numbers and keys', () => {
    const { redactJson } = createRedactor({ search: searchFor(['s3cr3t', '424242']) })
    expect(redactJson({ 's3cr3t-key': 1, n: 424_242, list: ['a s3cr3t b'], s3cr3t: 1, s3cr3ts: 2 })).toEqual({
      '[redacted]-key': 1,
      n: '[redacted]',
      list: ['a [redacted] b'],
      '[redacted]': 1,
      '[redacted]s': 2,
    })
  })

  test('keeps two keys that look alike once redacted', () => {
    const { redactJson } = createRedactor({ search: searchFor(['secret-one', 'secret-two']) })
    expect(redactJson({ 'secret-one': 1, 'secret-two': 2 })).toEqual({
      '[redacted]': 1,
      '[redacted] (2)': 2,
    })
  })

  test('hides what is under a name for which a pattern takes too long', () => {
    const { redactJson } = createRedactor({ names: [/^(a+)+$/] })
    const long = `${'a'.repeat(60)}!`
    expect(redactJson({ [long]: 'one', b: 'two' })).toEqual({ [long]: '[redacted]', b: 'two' })
  })

  test('tests a pattern on many names in no time', () => {
    const { isSecretName } = createRedactor({ names: [/^(?:pin|puk)-/i] })
    const start = process.cpuUsage()
    const secret = Array.from({ length: 50_000 }, (_, index) => isSecretName(`name${index}`))
    expect(secret).not.toContain(true)
    expect(process.cpuUsage(start).user).toBeLessThan(2_000_000)
  })

  test('takes names of its own, as text and as patterns', () => {
    const { redactJson } = createRedactor({ names: ['X-Session', 'card-code', /^pin/gi, /puk/y] })
    expect(
      redactJson({
        'x-session': 'a',
        cardCode: 'b',
        card_code: 'c',
        PIN_code: 1,
        pin: '2',
        opinion: 'b',
        my_puk: 3,
      }),
    ).toEqual({
      'x-session': '[redacted]',
      cardCode: '[redacted]',
      card_code: '[redacted]',
      PIN_code: '[redacted]',
      pin: '[redacted]',
      opinion: 'b',
      my_puk: '[redacted]',
    })
  })

  test('leaves unresolved templates readable', () => {
    const { redactJson } = createRedactor()
    expect(redactJson({ token: '{{auth.token}}', authorization: 'Bearer {{ token }}' })).toEqual({
      token: '{{auth.token}}',
      authorization: 'Bearer {{ token }}',
    })
    expect(redactJson({ token: '{{a}}hunter2{{b}}', password: '{"a":1}' })).toEqual({
      token: '[redacted]',
      password: '[redacted]',
    })
  })

  test('treats names of the prototype as ordinary keys', () => {
    const value = JSON.parse('{"__proto__":{"password":"x"},"constructor":"s3cr3t","toString":1}') as Json
    const shown = createRedactor({ search: searchFor(['s3cr3t']) }).redactJson(value)
    expect(JSON.stringify(shown)).toBe(
      '{"__proto__":{"password":"[redacted]"},"constructor":"[redacted]","toString":1}',
    )
    expect(Object.hasOwn(Object.prototype, 'password')).toBe(false)
  })

  test('cuts what is nested deeper than 500 levels, however deep', () => {
    let deep: Json = { password: 'x' }
    for (let level = 0; level < 50_000; level += 1) deep = level % 2 ? [deep] : { a: deep }
    let shown: Json = createRedactor().redactJson(deep)
    let levels = 0
    for (; typeof shown === 'object'; levels += 1) shown = Object.values(shown ?? {})[0] as Json
    expect([levels, shown]).toEqual([500, '[cut: nested deeper than 500 levels]'])
  })

  test('changes a copy', () => {
    const { redactJson } = createRedactor({ search: searchFor(['s3cr3t']) })
    const value = { open: { list: [1, 'a', { b: null }] }, hit: ['x s3cr3t'] }
    const shown = redactJson(value)
    expect(shown).toEqual({ open: { list: [1, 'a', { b: null }] }, hit: ['x [redacted]'] })
    expect(value.hit).toEqual(['x s3cr3t'])
  })
})

describe('learn', () => {
  test('hides values of secret names in raw text from then on', () => {
    const redactor = createRedactor()
    redactor.learn({ headers: { authorization: 'Bearer abc123xyz', cookie: 'sid=0123456789; theme=dark' } })
    expect(redactor.redactText('token=abc123xyz sid 0123456789 theme dark')).toBe(
      'token=[redacted] sid [redacted] theme dark',
    )
  })

  test('knows the password inside Basic credentials', () => {
    const redactor = createRedactor()
    redactor.learn({ authorization: `Basic ${Buffer.from('me:open sesame').toString('base64')}` })
    expect(redactor.redactText('open%20sesame')).toBe('[redacted]')
  })

  test('learns no more than 10,000 values, from one map or from many', () => {
    const redactor = createRedactor()
    const tokens = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [index, `token-${index}`]))
    redactor.learn({ tokens })
    expect(redactor.known.size).toBe(10_000)
    redactor.learn(Array.from({ length: 10 }, (_, index) => ({ token: `other-${index}` })))
    expect(redactor.known.size).toBe(10_000)
    expect(redactor.redactJson({ tokens })['tokens']?.['49999']).toBe('[redacted]')
    // No name hides a password in a URL, so it must still be learnt.
    redactor.learn({ database: 'postgres://app:swordfish@db' }, true)
    expect(redactor.redactText('swordfish')).toBe('[redacted]')
  })

  test('knows the passwords in addresses, also those of ordinary names', () => {
    const redactor = createRedactor()
    redactor.learn({
      urls: ['https://admin:hunter2000@a.example/x?y=http://b.example', 'http://{{u}}:{{p}}@h'],
    })
    redactor.learn({ database: 'postgres://app:swordfish@db:5432/app', site: 'http://h:80/@x' }, true)
    expect([...redactor.known.keys()]).toEqual(['hunter2000', 'swordfish'])
    expect(redactor.redactJson({ database: 'postgres://app:swordfish@db:5432/app' })).toEqual({
      database: 'postgres://app:[redacted]@db:5432/app',
    })
  })

  test('knows the parameters of addresses, also those in addresses inside', () => {
    const redactor = createRedactor()
    const inner = encodeURIComponent('/cb?token=inner-k9Zq2')
    redactor.learn({ link: `https://h/cb?to=${inner}&secret=sample#state=1&access_token=outer-k9Zq2` })
    expect([...redactor.known.keys()]).toEqual(['inner-k9Zq2', 'outer-k9Zq2'])
    redactor.learn({ link: 'https://h/?password=forgotten&token=%3Ctoken-12345%3E&secret=x1&pin=$12345678' })
    redactor.learn(['https://h/?token=known-k9Zq2 is an address, with words'])
    expect(redactor.known.size).toBe(2)
    redactor.learn({ link: `https://h/?token=${'word'.repeat(5)}` })
    expect(redactor.known.has('word'.repeat(5))).toBe(true)
  })

  test('knows the texts of elements with secret names', () => {
    const redactor = createRedactor()
    redactor.learnMarkup(
      '<s:login><user>ann</user><ns:Password kind="plain">hunter2000</ns:Password><token/><secret>{{x}}</secret></s:login>',
    )
    expect([...redactor.known.keys()]).toEqual(['hunter2000'])
  })

  test('does not take a word such as `password` for a secret to search for', () => {
    const redactor = createRedactor()
    redactor.learn({ password: 'password', token: '{{token}}', secret: 'true' })
    expect([...redactor.known.keys()]).toEqual([])
  })
})

describe('redactSource', () => {
  const { redactSource } = createRedactor()
  const cases: [text: string, shown: string][] = [
    [
      'GET / HTTP/1.1\r\nAuthorization: Bearer a b\r\nHost: x\r\n',
      'GET / HTTP/1.1\r\nAuthorization: [redacted]\r\nHost: x\r\n',
    ],
    ['Cookie: a="1"; b=2\nX: y', 'Cookie: [redacted]\nX: y'],
    [
      '<a><password>a b</password><pin>1</pin> <x:token a="1">t</x:token ></a>',
      '<a><password>[redacted]</password><pin>1</pin> <x:token a="1">[redacted]</x:token ></a>',
    ],
    ['base_url: http://me:pw@h:1/a:b@c # x', 'base_url: http://me:[redacted]@h:1/a:b@c # x'],
    ['at pg://me:p@ss@w0rd@h/db', 'at pg://me:[redacted]@h/db'],
    ['smtp://me@x.example:pw@h,you@x.example', 'smtp://me@x.example:[redacted]@h,you@x.example'],
    [
      'http://:pw@h http://u:{{pw}}@h http://u@h:1 http://h:1/u:v@x',
      'http://:[redacted]@h http://u:{{pw}}@h http://u@h:1 http://h:1/u:v@x',
    ],
    [
      "curl -H 'authorization: Bearer x' -H 'x-api-key: 12' 'http://h/?token=1&a=2'",
      "curl -H 'authorization: [redacted]' -H 'x-api-key: [redacted]' 'http://h/?token=[redacted]&a=2'",
    ],
    [
      '{"password":"a\\"b","n":1,"pin":2,"token":42}',
      '{"password":"[redacted]","n":1,"pin":2,"token":[redacted]}',
    ],
    [
      String.raw`{"data":"{\"password\":\"abc\",\"x\":1}"}`,
      String.raw`{"data":"{\"password\":\"[redacted]\",\"x\":1}"}`,
    ],
    [
      'grant_type=password&password=hunter2&client_secret=x&a=b',
      'grant_type=password&password=[redacted]&client_secret=[redacted]&a=b',
    ],
    [
      'variables:\n  password: hunter2\n  token: "{{auth.token}}"\n  user: me',
      'variables:\n  password: [redacted]\n  token: "{{auth.token}}"\n  user: me',
    ],
    [
      'capture:\n  token: body.json.token\nAuthorization: "Bearer {{token}}"',
      'capture:\n  token: body.json.token\nAuthorization: "Bearer {{token}}"',
    ],
    [
      'capture: { id: body.id, token: body.token, secret: abc }',
      'capture: { id: body.id, token: body.token, secret: [redacted] }',
    ],
    [
      'token: $.token\npwd: res.body.token\njwt: json.items[0].jwt\nsecret: data.a9fk3\npasswd: data',
      'token: $.token\npwd: res.body.token\njwt: json.items[0].jwt\nsecret: [redacted]\npasswd: [redacted]',
    ],
    [
      "token: pm.response.json().token\npwd: body.url.split('/')[2]\njwt: pm.a9fk3\ntoken: '{{a}}.{{b}}'",
      "token: pm.response.json().token\npwd: body.url.split('/')[2]\njwt: [redacted]\ntoken: '{{a}}.{{b}}'",
    ],
    ['  private_key: |\n    AAA\n\n    BBB\n  next: 1', '  private_key: [redacted]\n  next: 1'],
    ["  password: 'it''s'\n  a: 1", "  password: '[redacted]'\n  a: 1"],
    ['"password": |-\n  one\n"next": 1', '"password": [redacted]\n"next": 1'],
    [
      "a:\n  'token': >2-  # folded\n      one\n    two\n  b: |-\n    c",
      "a:\n  'token': [redacted]\n  b: |-\n    c",
    ],
    ['token: |\n  {{auth.token}}\nb: 1', 'token: |\n  {{auth.token}}\nb: 1'],
    ['assert:\n  token:\n    type: string', 'assert:\n  token:\n    type: string'],
    ['body.token: { type: string, minLength: 8 }', 'body.token: { type: string, minLength: 8 }'],
    [
      'credentials: { username: ada, id: "{{x}}" }\n"token": # soon\n  "type": string',
      'credentials: { username: ada, id: "{{x}}" }\n"token": # soon\n  "type": string',
    ],
    ['- token: &t\n    a: "x, y"\n  next: 1', '- token: &t\n    [redacted]\n  next: 1'],
    ['{"token":["it\'s, [a', '{"token":[redacted]'],
    ['token:\n  - one # first\n  - { a: two, b: "{{x}}" }\nnext: 1', 'token:\n  [redacted]\nnext: 1'],
    ['{"token":{"a":["x\\"y",{"b":1}],"c":true},"n":1}', '{"token":[redacted],"n":1}'],
    [
      'credentials:\n  username: ada\n  key: |\n    a: b\n    c\nother: 1',
      'credentials:\n  [redacted]\nother: 1',
    ],
    ['auth: { bearer: [abc] }\nplan: { basic: 5 }', 'auth: { bearer: [redacted] }\nplan: { basic: 5 }'],
    ["auth:\n  basic: 'u:p'", "auth:\n  basic: '[redacted]'"],
    [
      "auth: { digest: 'u:p' }\nauth:\n  oauth2: |\n    abc\nauth: { aws: { region: eu, secret: x } }",
      "auth: { digest: '[redacted]' }\nauth:\n  oauth2: [redacted]\nauth: { aws: { region: eu, secret: [redacted] } }",
    ],
    ['{ auth: Bearer abc-1, a: b }', '{ auth: [redacted], a: b }'],
    ["auth: 'u:p'\nurl: /x", "auth: '[redacted]'\nurl: /x"],
    ['auth: none', 'auth: none'],
    ['"auth": "https://host"', '"auth": "https://host"'],
    ['assert: { body.token: abc, body.n: 1 }', 'assert: { body.token: [redacted], body.n: 1 }'],
    ['login: { password: {{pin}}abc, user: me }', 'login: { password: [redacted], user: me }'],
    ['note: {{a}} password: abc, def', 'note: {{a}} password: [redacted]'],
    [String.raw`{"password":"\"a","n":1}`, '{"password":"[redacted]","n":1}'],
    ['Authorization: [redacted]\n  x: 1', 'Authorization: [redacted]\n  x: 1'],
    ['Token::create, token => next, password == other', 'Token::create, token => next, password == other'],
    ['tokens: [[one, two], {a: three}], other: four', 'tokens: [redacted], other: four'],
    ['tokens: [[redacted], [redacted]]', 'tokens: [[redacted], [redacted]]'],
    ['{"tokens":1024,"api_keys":"1024"}', '{"tokens":1024,"api_keys":"[redacted]"}'],
    ['"token": { type: [string, integer] }', '"token": { type: [string, integer] }'],
    ['token: first(body)', 'token: first(body)'],
    [`curl -H "x-api-key: it's 12" 'http://h'`, `curl -H "x-api-key: [redacted]" 'http://h'`],
  ]
  test('takes time linear in the text, whatever it is like', { timeout: 2000 }, () => {
    const blanks = ' '.repeat(200_000)
    expect(redactSource(`token:\n  a${blanks}b\n  c${blanks}: d`)).toBe('token:\n  [redacted]')
    const nested = '{"token":'.repeat(20_000)
    expect(redactSource(`${nested}true`)).toBe(`${nested}true`)
  })

  for (const [text, shown] of cases) {
    test(`hides by name: ${text.slice(0, 40)}`, () => expect(redactSource(text)).toBe(shown))
  }
})

test('hides by its own names what checks of flat fields expect', () => {
  const { redactSource } = createRedactor({ names: ['pin'] })
  const captured = 'capture: { pin: { css: .pin }, a: { pin: { xpath: //pin } } }'
  expect(redactSource(captured)).toBe(captured)
  expect(redactSource('body.pin: a-1\nbody.x.pin.0.equls: b-2\nbody.pin.length: 4\nbody.pins: c')).toBe(
    'body.pin: [redacted]\nbody.x.pin.0.equls: [redacted]\nbody.pin.length: 4\nbody.pins: c',
  )
})

test('knows what is under secret names in a text that cannot be read', () => {
  const redactor = createRedactor()
  redactor.learnSource('a:\n  "password": |2-\n    five-5\n    six-6\n  b: seven-7')
  expect(redactor.redactText('five-5\nsix-6 seven-7')).toBe('[redacted] seven-7')
  redactor.learnSource('token: [one-1, two-2\nauth: {bearer: [three-3]}\n  authorization:\n    x: four-4')
  expect(redactor.redactText('one-1 two-2 three-3 four-4')).toBe(
    '[redacted] [redacted] [redacted] [redacted]',
  )
})

test.each(['token:\n  - aaY:\u2028~\n', 'token: [aaY:\u2028~]', 'token: [bb, aaY:\u00a0~]'])(
  'takes no text for a key because of a colon before a blank that YAML does not know: %j',
  (text) => expect(createRedactor().redactSource(text)).toMatch(/^token:\s+\[redacted\]\s*$/),
)

test('knows no name of a cookie from a check of `set-cookie`, but its value', () => {
  const redactor = createRedactor()
  redactor.learnSource(
    'headers.set-cookie: { contains: laravel_session }\nheaders.set-cookie.contains: HttpOnly\nset-cookie: a=opensesame',
  )
  expect(redactor.redactText('laravel_session HttpOnly opensesame')).toBe(
    'laravel_session HttpOnly [redacted]',
  )
})

test('knows each text of the lists and maps in a file, without its quotes', () => {
  const redactor = createRedactor()
  redactor.learnSource(`tokens: ['one-1', "two-2"]
secrets:
  - "three-3"
  - [four-4, 'five-5']
auth: {
  password: six-6, user: ada }
`)
  expect(redactor.redactText('one-1 two-2 three-3 four-4 five-5 six-6')).toBe(
    Array(6).fill('[redacted]').join(' '),
  )
})

test('hides the value of a checked field by its name, not what its type or size is checked for', () => {
  const redactor = createRedactor()
  const show = (field: string, value: Json): Json => redactor.redactField(field, value)
  expect(show('body.json.token.equals', 'abc')).toBe('[redacted]')
  expect(show('body.tokens[0]', { a: 1 })).toBe('[redacted]')
  expect(show('body.token.type', 'string')).toBe('string')
  expect(show('body.token', '{{token}}')).toBe('{{token}}')
  expect(show('body.size.equals', 'abc')).toBe('abc')
  expect(show('body.user.equals', { a: 1, token: 'abc' })).toEqual({ a: 1, token: '[redacted]' })
  expect([show('body.token.exists', true), show('body.token.equals', null)]).toEqual([true, null])
  expect(show('gives a token', 'false')).toBe('false')
  redactor.learnField('body.token.equals', 'expected-token')
  redactor.learnField('gives a token', 'TypeError: Cannot read properties of undefined')
  redactor.learnField('body.token.type', 'string')
  expect([...redactor.known.keys()]).toEqual(['expected-token'])
})

test('shows what an answer says about a secret field, and a schema of it', () => {
  const body = {
    errors: {
      password: ['must be at least 8 characters', 'too short'],
      token: 'is required',
      api_key: 'missing',
      pwd: 'Required',
      secret: 'k9-Zq2',
      config: { headers: { authorization: 'Bearer one-11111' } },
    },
    password: ["can't be blank", 'two-2'],
    token: 'three words here',
    tokens: [
      'these are kept hidden',
      { name: 'ci', user: 'ada', scopes: ['read'], last_used_at: '2026', key: 'five-5' },
    ],
    next_page_token: 'page-2',
    usage: { total_tokens: 1024 },
    passwd: 'admin',
    properties: { password: { type: 'string', format: 'password', minLength: 8, default: 'four-4' } },
  }
  const redactor = createRedactor()
  const shown = redactor.redactJson(body)
  expect(shown).toEqual({
    errors: {
      password: ['must be at least 8 characters', 'too short'],
      token: 'is required',
      api_key: 'missing',
      pwd: 'Required',
      secret: '[redacted]',
      config: { headers: { authorization: '[redacted]' } },
    },
    password: ["can't be blank", '[redacted]'],
    token: '[redacted]',
    tokens: [
      '[redacted]',
      { name: 'ci', user: 'ada', scopes: ['read'], last_used_at: '2026', key: '[redacted]' },
    ],
    next_page_token: 'page-2',
    usage: { total_tokens: 1024 },
    passwd: '[redacted]',
    properties: { password: { type: 'string', format: 'password', minLength: 8, default: '[redacted]' } },
  })
  redactor.learn(body)
  expect([...redactor.known.keys()].toSorted()).toEqual(
    [
      'five-5',
      'four-4',
      'k9-Zq2',
      'one-11111',
      'these are kept hidden',
      'three words here',
      'two-2',
    ].toSorted(),
  )
  expect(redactor.redactSource('{"errors":{"password":["must be longer now"]}}')).toContain(
    'must be longer now',
  )
  expect(redactor.redactSource('errors.password: too short\npassword:\n  - must be longer now')).toBe(
    'errors.password: too short\npassword:\n  - must be longer now',
  )
  expect(redactor.redactField('body.errors.password[0].equals', 'too short')).toBe('too short')
  expect(redactor.redactField('body.errors.password.equals', ['too short', 'a1-b2'])).toEqual([
    'too short',
    '[redacted]',
  ])
  expect(redactor.redactField('body.password.equals', ['is too short', 'a1-b2'])).toEqual([
    'is too short',
    '[redacted]',
  ])
  const named = createRedactor({ names: ['password'] })
  expect(named.redactJson({ errors: { password: 'is too short' } })).toEqual({
    errors: { password: '[redacted]' },
  })
})

test.each(['http://mysecrethost/x', 'http://a.mysecrethost.example/', 'token=MySecretHost'])(
  'hides a secret in the case that a host is written in: %s',
  (url) => {
    const { redactText } = createRedactor({ search: searchFor(['MySecretHost']) })
    expect(redactText(url).toLowerCase()).not.toContain('secrethost')
  },
)

test.each([
  ['Bearer eyJhbGciOiJIUzI1NiJ9.x', 'a Bearer of news', 'a Bearer of news'],
  [
    'https://hooks.example.org/T000/B000/abcdef',
    'https://hooks.example.org/status',
    'https://hooks.example.org/status',
  ],
  ['https://hooks.example.org/T000/B000/abcdef', 'https://hooks.example.org/T000/B000/ab…', '[redacted]…'],
])('what many secrets begin with is none: %s', (secret, text, shown) => {
  expect(createRedactor({ search: searchFor([secret]) }).redactText(text)).toBe(shown)
})

test('the rest of a token is hidden where its dots are escaped, as in a pattern', () => {
  const { redactText } = createRedactor({ search: searchFor(['eyJhbGciOi.eyJzdWIiOi-.dozjgNryP4J3']) })
  expect(redactText(String.raw`^Bearer eyJhbGciOi\.eyJzdWIiOi\x2d\.dozjgNryP4J3$`)).toBe(
    '^Bearer [redacted]$',
  )
})

test.each([
  ['SSWS 00aBcDeF-gh', 'x-copy: 00aBcDeF-gh', 'x-copy: [redacted]'],
  ['hunter2 and more', 'hunter2 and more and more', '[redacted] and more'],
  [
    'https://hooks.example.org/services/T012/aBcDeFgHiJkLm1?sig=nOpQrStUvWxYz2&v=2',
    'POST /services/T012/aBcDeFgHiJkLm1?sig=nOpQrStUvWxYz2&v=2 and /services/T013/status',
    'POST /services/T012/[redacted]?sig=[redacted]&v=2 and /services/T013/status',
  ],
])('what is secret by itself in a secret is hidden alone, too: %s', (secret, text, shown) => {
  for (const learn of ['addSecret', 'learnField'] as const) {
    const redactor = createRedactor()
    if (learn === 'addSecret') redactor.addSecret(secret, 'key')
    else redactor.learnField('headers.authorization', secret)
    expect(redactor.redactText(text)).toBe(shown)
    expect(redactor.redactText(`<${secret}>`)).toBe('<[redacted]>')
  }
})

test.each([
  [
    'set-cookie: laravel_session=abcdef1234567890; Path=/',
    ['laravel_session'],
    ['laravel_session=abcdef1234567890', 'abcdef123456…', 'abcdef12…', 'laravel_session=abcdef123456…'],
  ],
  ['set-cookie: expires_with_dash=value', ['expires_with_dash'], ['expires_with_dash=val…']],
  [
    'cookie: ASP.NET_SessionId=k9Zq2; theme=dark',
    ['ASP.NET_SessionId', 'theme'],
    ['ASP.NET_SessionId=k9Zq2', 'ASP.NET_SessionId=k9Zq…'],
  ],
  [
    'cookie: __Host-session=%7B%22a%22%3A%221%22%7D%2F%2F; b=c',
    ['__Host-session'],
    ['__Host-session={"a":"1"}//', '{"a":"1"}//', '__Host-session={"a":…'],
  ],
  ['set-cookie: a.long.cookie=a9; Path=/', ['a.long.cookie='], ['a.long.cookie=a9', 'a.long.cookie=a…']],
  ['headers.cookie: tavern-cookie-2=abc', ['tavern-cookie-1', 'tavern-cookie-2'], []],
  ['cookie: a-long-name=; other=1', ['a-long-name=', 'other=1'], []],
  [
    'authorization: Hawk-Version-2 id="dh37fgj492je", mac="6R4rV5iE"',
    ['Hawk-Version-2', 'Hawk-Version-2 id='],
    ['Hawk-Version-2 id="dh37fgj492je', 'Hawk-Version-2 id="dh37fgj492je…'],
  ],
  ['authorization: Hawk-Version-2 id="a1", mac="6R4r"', ['Hawk-Version-2 id='], ['Hawk-Version-2 id="a1']],
  [
    'authorization: Digest username="alice", response="6629fae49393"',
    ['Digest username="alfred"', 'username='],
    ['username="alice", response="6629…', 'username="alice", respo…'],
  ],
  [
    'authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261129',
    ['AWS4-HMAC-SHA256', 'AWS4-HMAC-SHA256 Credential='],
    ['AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/…'],
  ],
  ['proxy-authorization: Corporate-Proxy 0aB1c', ['Corporate-Proxy'], ['Corporate-Proxy 0aB1…']],
  ['authorization: Corporate-Proxy 00aBcDeFgh=', ['Corporate-Proxy'], ['00aBcDeFgh=', '00aBcD…']],
])('the name of a cookie and a scheme are public, what follows is not: %s', (header, open, secret) => {
  const [, name = '', value = ''] = /^(\S+): (.+)$/.exec(header) ?? []
  const { addSecret, redactText, known } = createRedactor()
  addSecret(value, name)
  // As the main process learns it from a worker.
  for (const hide of [redactText, createRedactor({ search: searchFor(known.values()) }).redactText]) {
    for (const text of open.flatMap((one) => [`an ${one}`, encodeURIComponent(one), btoa(one)]))
      expect(hide(text)).toBe(text)
    for (const text of [value, ...secret])
      for (const write of [String, encodeURIComponent, JSON.stringify])
        expect(hide(write(text)).replaceAll(/["…]|%?E2%80%A6/g, '')).toMatch(
          /^(?:Digest(?: |%20))?\[redacted\]$/,
        )
    expect(hide(btoa(value))).toMatch(/^(?:RGlnZXN0I.)?.?\[redacted\].{0,4}$/)
  }
})

test('a name with a version or year in a secret URL is no secret by itself', () => {
  const redactor = createRedactor()
  const url = 'https://api.example.org/customer-service-v2/organization-2024/kEy1kEy2kEy3k'
  redactor.addSecret(url, 'url')
  expect(redactor.redactText(url)).toBe('[redacted]')
  const names = 'GET /customer-service-v2/organization-2024 for organizations'
  expect(redactor.redactText(`${names} by kEy1kEy2kEy3k`)).toBe(`${names} by [redacted]`)
})

test('a secret that was learnt with escapes is hidden in base64, and by its lines', () => {
  const redactor = createRedactor()
  redactor.learnMarkup('<password>one&amp;two-2&lt;3</password>')
  expect(redactor.redactText(Buffer.from('ann:one&two-2<3').toString('base64'))).not.toMatch(
    /b25lJnR3by0y|uZSZ0d28tM/,
  )
  redactor.learn({
    'set-cookie': `key=${encodeURIComponent(`${'k'.repeat(30)}\n${'l'.repeat(30)}`)}; Path=/`,
  })
  expect(redactor.redactText(`a ${'l'.repeat(30)} b`)).toBe('a [redacted] b')
})

test('does nothing when it is off', () => {
  const redactor = createRedactor({ enabled: false, search: searchFor(['s3cr3t']), names: ['a'] })
  for (const hide of [redactor.redactText, redactor.redactSource])
    expect(hide('a: s3cr3t password=x http://u:s3cr3t@h')).toBe('a: s3cr3t password=x http://u:s3cr3t@h')
  expect(redactor.redactJson({ a: 's3cr3t', password: 'x' })).toEqual({ a: 's3cr3t', password: 'x' })
})

test('the leak check names the fields that hold a secret, and which one', () => {
  const secrets = ['another', 's3cr3t', 'abc', '424242', 'abcdefghijklmnop']
  expect(
    listLeaks(secrets, {
      steps: [{ url: '/x?q=s3cr3t' }, { message: 'got `abcdefghijkl…`' }],
      body: { 's3cr3t-key': { n: 424_242 }, ok: 'abc' },
      size: 424_242,
    }),
  ).toEqual([
    { path: 'steps[0].url', secret: 's3cr3t' },
    { path: 'steps[1].message', secret: 'abcdefghijklmnop' },
    { path: 'body (a key)', secret: 's3cr3t' },
    { path: 'body.[redacted].n', secret: '424242' },
  ])
  const finder = createLeakFinder(searchFor(secrets))
  expect(finder.isIn('a s3cr3t')).toBe(true)
  expect(finder.isIn('a abc abcdefghijk')).toBe(false)
  const cookie = ['laravel_session=k9Zq2', 'cookie', 16] as const
  const named = createLeakFinder(searchFor([cookie, 's3cr3t']))
  expect(named.findSecret('the laravel_session of s3cr3t')).toBe('s3cr3t')
})

test.each(['body', 'headers', 'params', 'expected', 'actual', 'iteration', 'captured_variables'])(
  'the leak check looks at the keys and numbers in `%s`, which are not our own',
  (field) => {
    const value = { [field]: { 's3cr3t-key': 424_242, n: 1 }, 's3cr3t-ours': 424_242 }
    const copy = createLeakFinder(searchFor(['s3cr3t', '424242'])).replaceInJson(value, () => '-')
    expect(copy).toEqual({ [field]: { '-': '[redacted]', n: 1 }, 's3cr3t-ours': 424_242 })
  },
)

test('the leak check does not mistake our own words, names and times for a secret', () => {
  const secrets = ['success', 'status', '2026-01-02']
  const report = {
    status: 'success',
    start_time: '2026-01-02T03:04:05.000Z',
    error_message: 'the success of it',
  }
  expect(listLeaks(secrets, report).map(({ path }) => path)).toEqual(['error_message'])
})

test('a secret is hidden whichever of its characters a URL escapes', () => {
  const redactor = createRedactor({ search: searchFor(['canary env/+ "77"']) })
  for (const url of [
    '/x?k=canary%20env/%2B%20%2277%22&a=1',
    '/x?k=canary%20env%2F+%20%2277%22&a=1',
    '/x?k=canary+env%2f%2b+%2277%22&a=1',
    '/x?k=%63anary+env/%2B+%2277%22&a=1',
  ])
    expect(redactor.redactText(url)).toBe('/x?k=[redacted]&a=1')
})

test('a secret number above 2⁵³ is hidden and searched for like any other', () => {
  const { redactJson } = createRedactor({ search: searchFor(['9007199254740993']) })
  const answer = { id: 9007199254740993n, other: 8123456789012345678n, api_token: 12345678901234567890n }
  expect(redactJson(answer)).toEqual({
    id: '[redacted]',
    other: 8123456789012345678n,
    api_token: '[redacted]',
  })
  expect(listLeaks(['9007199254740993'], { foreign: { body: answer } })).not.toEqual([])
})

test('a scheme without credentials is no secret', () => {
  const redactor = createRedactor()
  redactor.learn({ request: { headers: { authorization: 'Bearer ' } } })
  expect(redactor.redactText('`Bearer` is put before it')).toBe('`Bearer` is put before it')
})

test('the methods of a route that is called like a secret are none', () => {
  const redactor = createRedactor()
  redactor.learn({ routes: { '/oauth/token': ['POST'], '/password': 'PATCH', '/other-token': 'none' } })
  expect([...redactor.known.keys()]).toEqual([])
})

test('a word that is a secret is hidden inside longer words, too: they may be made of it', () => {
  const redactor = createRedactor()
  redactor.learn({ password: 'alice' })
  expect(redactor.redactText('alice alice123 bobalice Malice')).toBe(
    '[redacted] [redacted]123 bob[redacted] M[redacted]',
  )
})

test('a password that is there to be refused blots out no words', () => {
  const redactor = createRedactor()
  redactor.learn({ request: { body: { password: 'wrong', token: 'expired' } } })
  expect(redactor.redactText('Refuse a wrong password')).toBe('Refuse a wrong password')
  expect(redactor.redactText('The token has expired')).toBe('The token has expired')
  expect(redactor.redactJson({ password: 'wrong' })).toEqual({ password: '[redacted]' })
})

test.each([
  ['https://api.example.com', true],
  ['http://localhost:3000/api/v1/', true],
  ['staging', true],
  ['staging-k9Zq2', false],
  ['admin', true],
  ['eu-central-1', false],
  ['eu-central-1', true, 'AWS_REGION'],
  ['localhost', true, 'API_HOST'],
  ['8080', true, 'PORT'],
  ['ada:pass@db.example', false, 'DB_HOST'],
  ['k9Zq2', false, 'SUPPORT'],
  ['https://ada:pass@example.com', false],
  ['https://hooks.example.com/services/T000/k9Zq2k9Zq2k9Zq2', false],
  ['https://example.com/?key=1', false],
  ['hunter2', false],
])(
  'whether the value of an environment variable is no secret: %s → %s %s',
  (value, isOpen, name?: string) => {
    expect(isOpenSetting(value, name)).toBe(isOpen)
  },
)

describe('an OpenAPI document', () => {
  const string = { type: 'string' }
  const login = {
    tags: ['auth'],
    summary: 'Log in',
    operationId: 'login_token_post',
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Login' } } } },
    responses: { '200': { $ref: '#/components/responses/Token' } },
  }
  const document = {
    openapi: '3.1.0',
    paths: {
      '/auth/token': { post: login, parameters: [{ name: 'authorization', in: 'header', schema: string }] },
    },
    components: {
      securitySchemes: {
        jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        Authorization: { type: 'apiKey', in: 'header', name: 'X-Key' },
        OAuth: {
          type: 'oauth2',
          flows: { password: { tokenUrl: 'auth/token', scopes: { read: 'Read all' } } },
        },
      },
      responses: { Token: { description: 'OK', content: { 'application/json': { schema: string } } } },
      headers: { Authorization: { description: 'Who asks', required: true, schema: string } },
      schemas: {
        Login: {
          type: 'object',
          required: ['user', 'password'],
          properties: {
            user: string,
            password: { type: 'string', format: 'password', minLength: 8, 'x-order': 1 },
            otp_token: { anyOf: [string, { type: 'null' }], default: null },
            api_key: { $ref: '#/components/schemas/Token' },
            tokens: { type: 'array', items: { type: ['string', 'null'], pattern: '^[a-z]+$' } },
          },
        },
        Token: {
          type: 'object',
          title: 'Token',
          properties: { access: string, kind: { type: 'string', enum: ['short', 'long'] } },
          additionalProperties: false,
        },
      },
    },
  }

  test('describes secrets and has none', () => {
    const redactor = createRedactor()
    redactor.learn(document)
    expect([...redactor.known.keys()]).toEqual([])
    expect(redactor.redactJson(document)).toEqual(document)
  })

  test('may have them as examples', () => {
    const redactor = createRedactor()
    const examples = { type: 'string', example: 'hunter2-a', examples: ['hunter2-b'], default: 'hunter2-c' }
    const Token = { type: 'object', example: { kind: 'short', access_token: 'hunter2-e' } }
    redactor.learn({ password: examples, token: { const: 'hunter2-d', type: 'string' }, Token })
    expect([...redactor.known.keys()]).toEqual([
      'hunter2-a',
      'hunter2-b',
      'hunter2-c',
      'hunter2-d',
      'hunter2-e',
    ])
  })

  test.each([
    { type: 'string', value: 'hunter2' },
    { type: 'object', properties: { it: 'hunter2' } },
    { type: 'object', content: { it: 'hunter2' } },
    { type: 'object', items: 'hunter2' },
    { type: 'object', schema: { it: 'hunter2' } },
    { type: 'object', 'x-token': 'hunter2' },
    { name: 'db', content: { it: 'hunter2' } },
    { get: { it: 'hunter2' } },
    { anyOf: ['hunter2'] },
    { required: 'hunter2' },
    { $ref: 4, it: 'hunter2' },
  ])('%j is none', (map) => {
    for (const name of ['secret', 'jwt', 'tokens']) {
      const redactor = createRedactor()
      redactor.learn({ [name]: map as Json })
      expect([...redactor.known.keys()]).toContain('hunter2')
    }
  })

  test('hides all below a name of the option `redact`', () => {
    const redactor = createRedactor({ names: ['pin'] })
    redactor.learn({ pin: { type: 'string', title: 'hunter2' } })
    expect([...redactor.known.keys()]).toContain('hunter2')
  })
})
