import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { certificate, pkcs12 } from '../../request/fixtures/certificate.ts'
import { SuiteError } from '../../errors.ts'
import { loadSuite } from '../load-suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'check-request-'))
writeFileSync(join(folder, 'me.pem'), certificate.cert)
writeFileSync(join(folder, 'me.key'), certificate.key)
writeFileSync(join(folder, 'me.p12'), pkcs12)
writeFileSync(join(folder, 'bad.pem'), 'nothing')
writeFileSync(join(folder, 'noted.pem'), `Subject: J\u00f6rg\n${certificate.cert}`, 'latin1')
afterAll(() => rmSync(folder, { recursive: true }))

/** The problems of a suite as text, or that there are none. */
async function check(request: string, top = ''): Promise<string> {
  const text = `suite_name: S\n${top}\nsteps:\n  - name: A\n    request: { url: 'https://h/x', ${request} }\n`
  try {
    await loadSuite({ path: 'a.suite.yaml', text }, { folder })
    return 'fine'
  } catch (error) {
    if (!(error instanceof SuiteError)) throw error
    return error.message
  }
}

test.each(['body: { a: 1 }', 'form: { a: 1 }', "multipart: { a: '1' }", 'file: me.pem'])(
  '%s without a method is a warning',
  async (body) => {
    const warn = async (request: string): Promise<string[]> => {
      const text = `suite_name: S\nsteps:\n  - name: A\n    request: { url: 'https://h/x', ${request} }\n`
      const { warnings } = await loadSuite({ path: 'a.suite.yaml', text }, { folder })
      return warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)
    }
    const [key] = body.split(':')
    expect(await warn(body)).toEqual([
      `4:36 A \`${key}\` without \`method\` is sent with GET. Write \`method: POST\`.`,
    ])
    expect(await warn(`method: GET, ${body}`)).toEqual([])
  },
)

test.each([
  ['/users/:id', ':id'],
  ['/users/{id}/orders', '{id}'],
  ['{{host}}/users/${id}?a=1', '${id}'],
  ['/users/{{host}}', undefined],
  ['https://h:80/a:b/:/{a', undefined],
  ['/x?a={b}', undefined],
])('of parameters of a path as other tools write them, %s has %s', async (url, written) => {
  const text = `suite_name: S\nvariables: { host: https://h }\nsteps:\n  - { name: A, request: { url: '${url}' } }\n`
  const { warnings } = await loadSuite({ path: 'a.suite.yaml', text }, { folder })
  const told = warnings.map(({ message }) => message)
  expect(told.filter((each) => each.includes('as it is written'))).toEqual(
    written === undefined
      ? []
      : [`\`${written}\` in the URL is sent as it is written. Write \`{{id}}\` to insert a variable.`],
  )
})

test.each([
  ['localhost:3000/users', 'localhost:3000'],
  ['api.example.com:80', 'api.example.com:80'],
  ['127.0.0.1:8080?a=1', '127.0.0.1:8080'],
  ['/localhost:3000', undefined],
  ['orders:42/publish', undefined],
  ['http://localhost:3000/x', undefined],
])('an address without a scheme is told: %s', async (url, host) => {
  const text = `suite_name: S\nbase_url: http://h\nsteps:\n  - { name: A, request: { url: '${url}' } }\n`
  const { warnings } = await loadSuite({ path: 'a.suite.yaml', text }, { folder })
  const told = `\`${host}\` is taken as a path below \`base_url\`. For a server, write the whole address: \`http://${host}\`.`
  expect(warnings.map(({ message }) => message)).toEqual(host === undefined ? [] : [told])
})

describe('auth', () => {
  test.each([
    'none',
    "{ bearer: '{{$env.T}}' }",
    '{ api_key: { name: x-key, value: 7 } }',
    '{ digest: { username: a, password: 5 } }',
    '{ basic: { username: $a, password: $env } }',
    "{ oauth2: { token_url: '{{$env.IDP}}/token', client_id: a } }",
    "{ oauth2: { token_url: /token, client_id: a, grant: refresh_token, refresh_token: '{{$env.R}}' } }",
    '{ aws: { region: r, service: s, access_key_id: a, secret_access_key: b } }',
  ])('%s is fine', async (auth) => {
    expect(await check(`auth: ${auth}`)).toBe('fine')
  })

  test.each([
    [
      'nome',
      'a.suite.yaml:5:42 error bad-value: Expected `steps[0].request.auth` to be `none` or a map with one of basic, bearer,',
    ],
    ...['$env.KEY', '${KEY}', '$API_KEY'].map((key) => [
      `{ api_key: { name: k, value: '${key}' } }`,
      'api_key.value` to be a template, such as "{{$env.NAME}}" for an environment variable, got',
    ]),
    ["{ bearer: '${TOKEN}' }", 'auth.bearer` to be a template, such as "{{$env.NAME}}"'],
    ['{ oauth: {} }', 'did you mean `oauth2`'],
    ['{ api_key: { in: body, name: a, value: b } }', '`header`, `query` or `cookie`'],
    ['{ api_key: { name: a b, value: b } }', '5:42 error bad-value: Expected `auth.api_key.name` to be'],
    ['{ digest: { username: a } }', '`steps[0].request.auth.digest.password` is missing'],
    ['{ oauth2: { token_url: ftp://h, client_id: a } }', 'Expected an http or https URL'],
    [
      '{ oauth2: { token_url: /t, client_id: a, grant: password, username: u } }',
      'Expected `auth.oauth2.password` to be a string, got nothing',
    ],
    ['{ aws: { region: r } }', '`steps[0].request.auth.aws.service` is missing'],
    [
      '{ basic: { username: a, password: b }, digest: { username: a, password: b } }',
      'got `basic` and `digest`',
    ],
  ])('%s is an error', async (auth, message) => {
    expect((await check(`auth: ${auth}`)).toLowerCase()).toContain(message.toLowerCase())
  })
})

describe('connections', () => {
  test.each([
    'tls: { cert: me.pem, key: me.key, ca: me.pem, server_name: h }',
    'tls: { ca: noted.pem }',
    'tls: { pfx: me.p12, passphrase: open, ca: me.pem }',
    "tls: { cert: '{{$env.CERT}}', key: me.key }",
    'insecure: true, http2: true, proxy: false',
    "proxy: 'http://u:p@proxy:8080'",
    "proxy: '{{$env.PROXY}}'",
  ])('%s are fine, for a request and for a suite', async (settings) => {
    expect(await check(settings)).toBe('fine')
    expect(await check('method: GET', settings.replaceAll(/, (?=http2|proxy)/g, '\n'))).toBe('fine')
  })

  test.each(["'1234'", '1234'])('a passphrase may be %s', async (passphrase) => {
    const cipher = { cipher: 'aes-256-cbc', passphrase: '1234' }
    const key = createPrivateKey(certificate.key).export({ type: 'pkcs8', format: 'pem', ...cipher })
    writeFileSync(join(folder, 'locked.key'), key)
    expect(await check(`tls: { cert: me.pem, key: locked.key, passphrase: ${passphrase} }`)).toBe('fine')
  })

  test.each([
    ['tls: { ca: gone.pem }', 'The file `gone.pem` does not exist'],
    ['tls: { ca: bad.pem, cert: bad.pem, key: me.key }', 'The files of `tls` cannot be used: '],
    ['tls: { ca: bad.pem }', 'The files of `tls` cannot be used: `ca` has no certificate'],
    ['tls: { cert: me.pem }', 'Expected `tls` to have both `cert` and `key`, got only `cert`'],
    ['tls: { pfx: me.p12, passphrase: shut }', 'mac verify failure. Expected PEM (`pfx`: PKCS #12)'],
    ['tls: { certificate: me.pem }', 'Unknown field `certificate`'],
    ['proxy: socks5://u:hunter2@p', 'Expected `proxy` to be an http:// URL, got `socks5://***@p`'],
    ['proxy: true', 'the URL of a proxy, or false'],
    ['http2: yes', 'true or false'],
  ])('%s is an error, for a request and for a suite', async (settings, message) => {
    expect(await check(settings)).toContain(message)
    expect(await check('method: GET', settings)).toContain(message)
  })
})
