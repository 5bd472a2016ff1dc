import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import * as undici from 'undici'
import { describe, expect, test } from '../fixture.ts'

describe('encodings', () => {
  test.for<[path: string, coding: string, decode: (body: Buffer) => Buffer, flag: string]>([
    ['/gzip', 'gzip', gunzipSync, 'gzipped'],
    ['/deflate', 'deflate', inflateSync, 'deflated'],
    ['/brotli', 'br', brotliDecompressSync, 'brotli'],
    ['/zstd', 'zstd', zstdDecompressSync, 'zstd'],
  ])('%s', async ([path, coding, decode, flag], { echo }) => {
    // Node's own `fetch` decodes zstd only since version 24.
    const answer = await undici.fetch(echo.url + path)
    expect(answer.headers.get('content-encoding')).toBe(coding)
    expect(await answer.json()).toMatchObject({ [flag]: true, method: 'GET', origin: '127.0.0.1' })
    const { request } = await import('node:http')
    const raw = await new Promise<Buffer>((resolve) => {
      request(echo.url + path, (response) => {
        const chunks: Buffer[] = []
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => resolve(Buffer.concat(chunks)))
      }).end()
    })
    expect(JSON.parse(String(decode(raw)))).toMatchObject({ [flag]: true })
  })
})

describe('documents', () => {
  test.for<[path: string, type: string, part: string]>([
    ['/json', 'application/json', 'Sample Slide Show'],
    ['/html', 'text/html; charset=utf-8', '<h1>Herman Melville - Moby-Dick</h1>'],
    ['/xml', 'application/xml', '<slideshow'],
    ['/encoding/utf8', 'text/html; charset=utf-8', '∀x∈ℝ'],
    ['/robots.txt', 'text/plain', 'Disallow: /deny'],
    [
      '/deny',
      'text/plain',
      "\n          .-''''''-.\n        .' _      _ '.\n       /   O      O   \\\n      : ",
    ],
    ['/forms/post', 'text/html; charset=utf-8', 'name="custname"'],
    ['/image/svg', 'image/svg+xml', '<svg'],
    ['/image/png', 'image/png', 'PNG'],
    ['/image/jpeg', 'image/jpeg', 'JFIF'],
    ['/image/webp', 'image/webp', 'WEBP'],
    [
      '/links/3/1',
      'text/html; charset=utf-8',
      `<a href='/links/3/0'>0</a> 1 <a href='/links/3/2'>2</a> </body>`,
    ],
    ['/dump/request', 'text/plain; charset=utf-8', 'GET /dump/request HTTP/1.1\r\n'],
    ['/uuid', 'application/json', '"uuid": "'],
    ['/hostname', 'application/json', '"hostname": "'],
    ['/user-agent', 'application/json', '"user-agent": "node"'],
    ['/base64/aMOpbGxv', 'text/plain; charset=utf-8', 'héllo'],
  ])('%s', async ([path, type, part], { echo }) => {
    const answer = await fetch(echo.url + path)
    expect(answer.headers.get('content-type')).toBe(type)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    expect(bytes.toString('utf8')).toContain(part)
  })

  test.for<[accept: string, type: string, status: number]>([
    ['image/webp,image/png', 'image/webp', 200],
    ['*/*', 'image/png', 200],
    ['image/*', 'image/png', 200],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'image/webp', 200],
    ['image/*;q=0.5, image/jpeg', 'image/jpeg', 200],
    ['text/html', 'application/json', 406],
  ])('/image for %s', async ([accept, type, status], { echo }) => {
    await echo.request.get('/image').set('Accept', accept).expect(status).expect('content-type', type)
  })
})
