import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultHeaders } from '../build/build-headers.ts'
import { buildRequest } from '../build/build-request.ts'
import { createClient } from '../send-request.ts'
import type { SentRequest } from '../exchange.ts'
import { respond, startRawServer, type RawServer } from '../fixtures/raw-server.ts'
import { quotePrintf } from '../quote-shell.ts'
import { renderCurl, renderRawRequest, renderRawResponse, type CurlOptions } from './render-request.ts'
import type { RequestInput } from '../build/request-input.ts'

const run = promisify(execFile)
const client = createClient()
const files = new Map([['blob', Buffer.from([0, 1, 2, 255, 254, 10, 13, 37, 92, 39, 45])]])
let server: RawServer
let folder: string

beforeAll(async () => {
  server = await startRawServer((socket, request) => {
    const head = request.startsWith('HEAD')
    socket.end(
      head
        ? 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n'
        : respond('ok', 'HTTP/1.1 200 OK\r\nconnection: close'),
    )
  })
  folder = await mkdtemp(join(tmpdir(), 'suitecase-curl-'))
})

afterAll(async () => {
  await client.close()
  await server.close()
  await rm(folder, { recursive: true })
})

/** Sends a request, runs its curl command, and returns both as the server saw them. */
async function compare(
  input: RequestInput,
  { shell = 'sh', ...options }: CurlOptions & { shell?: string } = {},
): Promise<{ sent: string; byCurl: string; command: string }> {
  const built = await buildRequest(input, {
    baseUrl: server.url,
    defaultTimeout: 10_000,
    readFile: async (path) => files.get(path) ?? Buffer.alloc(0),
  })
  if ('problem' in built) throw new Error(built.problem)
  const exchange = await client.send(built.spec)
  expect(exchange.failure).toBeUndefined()
  const command = renderCurl(exchange.request, options)
  const script = join(folder, 'command')
  await writeFile(script, command)
  await run(shell, [script], { cwd: folder })
  const [sent = '', byCurl = ''] = server.requests.slice(-2).map(alignNames)
  expect(renderRawRequest(exchange.request, '').split('\r\n\r\n')[0]).toBe(
    server.requests.at(-2)?.split('\r\n\r\n')[0],
  )
  return { sent, byCurl, command }
}

/** Evens out what curl writes differently: the case of these names, and no space after the colon of an empty header. */
function alignNames(request: string): string {
  return request
    .replace(/\r\n(content-length|host):/gi, (line) => line.toLowerCase())
    .replace(/: \r\n/g, ':\r\n')
}

function render(sent: Partial<SentRequest>, options: CurlOptions = {}): string {
  const headers = [
    ['accept', '*/*'],
    ['user-agent', 'u'],
  ] as const
  return renderCurl({ method: 'GET', url: 'http://h/', headers, ...sent }, options)
}

describe('the curl command sends the same bytes', () => {
  const cases: [string, RequestInput][] = [
    ['a plain GET', { url: '/get?a=1&b=two' }],
    ['params', { url: '/get', params: { 'a b': ["it's", '&x=1', '$HOME', '`id`', '!'], empty: '' } }],
    ['brackets and dots in the url', { url: '/a/../b/./c/%2e%2e/d?ids[]=1&r=[1-3]' }],
    ['JSON', { method: 'POST', url: '/post', body: { text: 'it\'s $HOME `id` \\ "q" @ % é 日本 😀', n: 1 } }],
    ['a text that starts with @', { method: 'POST', url: '/post', body: '@/etc/hostname' }],
    ['a text with line ends', { method: 'PUT', url: '/put', body: '\nline 1\n\nline 2\n\n' }],
    ['a text with carriage returns and tabs', { method: 'PUT', url: '/put', body: '-a\r\n\tb\u001b[31m' }],
    ['an empty body', { method: 'POST', url: '/post' }],
    ['an empty text', { method: 'POST', url: '/post', body: '' }],
    ['a form', { method: 'POST', url: '/post', form: { a: '1 & 2', é: "'" } }],
    [
      'multipart with a binary file',
      { method: 'POST', url: '/post', multipart: { a: '1', f: { file: 'blob' } } },
    ],
    ['a binary file', { method: 'POST', url: '/post', file: 'blob' }],
    ['a GET with a body', { url: '/get', body: { a: 1 } }],
    ['DELETE', { method: 'DELETE', url: '/delete' }],
    ['DELETE with a body', { method: 'DELETE', url: '/delete', body: [1] }],
    ['HEAD', { method: 'HEAD', url: '/get' }],
    ['OPTIONS', { method: 'OPTIONS', url: '/get' }],
    ['a method of its own', { method: "M-S`x'$y", url: '/get' }],
    ['auth', { url: '/get', auth: { basic: { username: 'user', password: "p'ä:ß" } } }],
    [
      'headers in their case, repeated, empty, with quotes',
      {
        url: '/get',
        headers: {
          'X-MiXeD': 'a',
          'X-List': ['1', '2'],
          'X-Empty': '',
          'X-Quote': `it's "x" $HOME \\ ;`,
          "x-'`!": 1,
        },
      },
    ],
    [
      'headers in latin-1',
      { url: '/get', headers: { 'X-E': 'caf\u00e9', 'X-U': '\u00c3\u00a9', 'X-T': 'a\tb' } },
    ],
    [
      'no default headers',
      {
        method: 'POST',
        url: '/post',
        body: 'x',
        headers: { 'user-agent': null, accept: null, 'accept-encoding': null, 'content-type': null },
      },
    ],
    ['another host', { url: '/get', headers: { Host: 'example.test' } }],
    ['connection: close', { url: '/get', headers: { Connection: 'close' } }],
    ['more than curl sends without asking', { method: 'POST', url: '/post', body: 'x'.repeat(90_000) }],
  ]

  test.each(cases)('%s', async (_title, input) => {
    const { sent, byCurl } = await compare(input)
    expect(byCurl).toBe(sent)
  })

  test.each(cases)('%s, in bash', async (_title, input) => {
    const { sent, byCurl } = await compare(input, { shell: 'bash' })
    expect(byCurl).toBe(sent)
  })

  test.each(cases)('%s, in short without the usual headers', async (_title, input) => {
    const usual = new Set([...defaultHeaders, ['connection', 'keep-alive']].map((line) => line.join(': ')))
    const { sent, byCurl, command } = await compare(input, { usual })
    expect(command).not.toContain('suitecase')
    const without = (request: string): string[] =>
      request
        .split('\r\n')
        .filter((line) => !usual.has(line) && !/^(accept: \*|user-agent: curl)/i.test(line))
    expect(without(byCurl)).toEqual(without(sent))
    for (const name of ['accept', 'user-agent'])
      expect(new RegExp(`^${name}:`, 'im').test(byCurl)).toBe(new RegExp(`^${name}:`, 'im').test(sent))
  })

  test.each([
    ['text', 'é'.repeat(90_000)],
    ['bytes', `\0é'%${'x'.repeat(150_000)}`],
  ])('a long body of %s is piped in', async (_title, body) => {
    const { sent, byCurl, command } = await compare({ method: 'POST', url: '/post', body }, { keep: 200_000 })
    expect(command).toMatch(/^printf /)
    expect(byCurl).toBe(sent)
  })

  test('a body that is too long for a command is read from the file it came from', async () => {
    const body = `é\0${'x'.repeat(1_500_000)}`
    files.set("it's big", Buffer.from(body))
    await writeFile(join(folder, "it's big"), body)
    const input = { method: 'POST', url: '/post', file: "it's big" }
    const { sent, byCurl, command } = await compare(input, { file: "it's big", keep: 100_000 })
    expect(command.length).toBeLessThan(500)
    expect(byCurl).toBe(sent)
  })
})

describe('the curl command', () => {
  test('of a plain request is short', () => {
    expect(render({})).toBe("curl -q 'http://h/' -H 'accept: */*' -H 'user-agent: u'")
  })

  test('with a body that is too long is left out, with what to do about it', () => {
    const sent = { method: 'POST', body: Buffer.alloc(1_572_864) }
    expect(render(sent, { keep: 100_000 })).toBe(
      '# left out: the command is 1.5 MiB long; raise `limits.reportBody` to have it',
    )
  })

  test('asks for HTTP/1.1 over TLS', () => {
    expect(render({ url: 'https://h/' })).toContain('curl -q --http1.1 ')
  })

  test('runs nothing but curl, whatever the request holds', async () => {
    const evil = `'; touch pwned; ' $(touch pwned) \`touch pwned\` "$(touch pwned)" \${IFS} && touch pwned #`
    const latin = `${evil}\u00e9`
    for (const body of [evil, `${evil}\0`, `%s%n\\${evil}\u0001`]) {
      await compare({
        method: `A'$(touch)\``.replaceAll(/[()]/g, '_'),
        url: `/${evil}`,
        body,
        headers: { a: evil, b: latin },
      })
    }
    const { stdout } = await run('ls', [folder])
    expect(stdout).not.toContain('pwned')
  })

  test.each([{ usual: new Set<string>() }, {}])('goes the way that the request went: %o', (options) => {
    const connection = { proxy: 'proxy.internal:8080', insecure: true } as const
    const sent = { method: 'GET', url: 'https://h/', headers: [] }
    expect(renderCurl(sent, { ...options, connection })).toContain(
      " --insecure --proxy 'http://proxy.internal:8080' 'https://h/'",
    )
  })

  test('holds only characters that can be typed and shown', () => {
    const nasty = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('')
    const command = render({
      method: 'POST',
      headers: [['x', nasty.slice(128)]],
      body: Buffer.from(`${nasty}\u202e\u2066\u200b\ufeff`),
    })
    expect(command).toMatch(/^[\u0020-\u007e]*$/)
  })
})

describe('raw texts', () => {
  test('show a request and a response as they went over the wire', () => {
    const headers: [string, string][] = [
      ['host', 'h'],
      ['X-A', '1'],
    ]
    expect(renderRawRequest({ method: 'POST', url: 'http://h/p?q=1', headers }, 'é')).toBe(
      'POST /p?q=1 HTTP/1.1\r\nhost: h\r\nX-A: 1\r\n\r\né',
    )
    expect(
      renderRawResponse(
        { statusCode: 200, statusText: 'Fine', httpVersion: '1.0', headers: [['A', 'b']] },
        'x',
      ),
    ).toBe('HTTP/1.0 200 Fine\r\nA: b\r\n\r\nx')
  })
})

test('bytes for printf: printable ASCII as it is from the blank to the tilde, the rest in octal', () => {
  expect(quotePrintf(Buffer.from(" ~-%\\'\u001f\u007fé"))).toBe(String.raw`' ~-%%\134'\''\037\177\303\251'`)
  expect(quotePrintf(Buffer.from('-a'))).toBe(String.raw`'\055a'`)
})
