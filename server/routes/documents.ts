import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { type EchoRouter, ownPath, sendDocument } from '../context.ts'
import { describeRequest } from '../echo.ts'
import { printJson } from '../json/print-json.ts'
import { DENY_TEXT, FORM_PAGE, HTML_PAGE, ROBOTS_TEXT, SLIDES, UTF8_PAGE, XML_PAGE } from './pages.ts'

const HTML = 'text/html; charset=utf-8'

/** Path, content coding, the member that names it, and what compresses; Node has zstd since 22.15. */
const ENCODINGS: [path: string, coding: string, flag: string, compress: keyof typeof zlib][] = [
  ['/gzip', 'gzip', 'gzipped', 'gzip'],
  ['/deflate', 'deflate', 'deflated', 'deflate'],
  ['/brotli', 'br', 'brotli', 'brotliCompress'],
  ['/zstd', 'zstd', 'zstd', 'zstdCompress'],
]

/** Fixed documents in several formats, and an echo in each content encoding, whatever the client accepts. */
export function addDocumentRoutes(router: EchoRouter): void {
  router.get('/json', (ctx) => {
    ctx.body = SLIDES
  })
  router.get('/html', (ctx) => sendDocument(ctx, HTML, HTML_PAGE))
  router.get('/encoding/utf8', (ctx) => sendDocument(ctx, HTML, UTF8_PAGE))
  router.get('/forms/post', (ctx) =>
    sendDocument(ctx, HTML, FORM_PAGE.replace('"/post"', `"${ownPath(ctx, '/post')}"`)),
  )
  router.get('/xml', (ctx) => sendDocument(ctx, 'application/xml', XML_PAGE))
  router.get('/robots.txt', (ctx) => sendDocument(ctx, 'text/plain', ROBOTS_TEXT))
  router.get('/deny', (ctx) => sendDocument(ctx, 'text/plain', DENY_TEXT))
  for (const [path, coding, flag, name] of ENCODINGS) {
    const compress = zlib[name] as typeof zlib.gzip | undefined
    if (!compress) continue
    router.get(path, async (ctx) => {
      const echo = { ...describeRequest(ctx, ['headers', 'method', 'origin']), [flag]: true }
      const body = await promisify<string, Buffer>(compress)(`${printJson(echo)}\n`)
      ctx.set('Content-Encoding', coding)
      sendDocument(ctx, 'application/json', body)
    })
  }
}
