import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { type EchoContext, type EchoRouter, ownPath, readDocument, sendDocument } from '../context.ts'
import { describeRequest } from '../echo.ts'
import { printJson } from '../json.ts'
import { sendStatus } from './status.ts'

const HTML = 'text/html; charset=utf-8'

/** Path, type and file. They are httpbin's own, except for the UTF-8 page and the pictures, which are smaller. */
const DOCUMENTS: [path: string, type: string, file: string][] = [
  ['/json', 'application/json', 'slides.json'],
  ['/html', HTML, 'moby-dick.html'],
  ['/encoding/utf8', HTML, 'utf8.html'],
  ['/xml', 'application/xml', 'slides.xml'],
  ['/robots.txt', 'text/plain', 'robots.txt'],
  ['/deny', 'text/plain', 'deny.txt'],
]

/** The formats of `/image/{format}`, in the order of preference of `/image`. */
const IMAGES: [format: string, type: string][] = [
  ['webp', 'image/webp'],
  ['svg', 'image/svg+xml'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
]

/** Path, content coding, the key that marks it, and the compressing function. */
const ENCODINGS: [path: string, coding: string, flag: string, compress: keyof typeof zlib][] = [
  ['/gzip', 'gzip', 'gzipped', 'gzip'],
  ['/deflate', 'deflate', 'deflated', 'deflate'],
  ['/brotli', 'br', 'brotli', 'brotliCompress'],
  ['/zstd', 'zstd', 'zstd', 'zstdCompress'],
]

/** Adds fixed documents, pictures in several formats, and an echo in each content encoding, whatever the client accepts. */
export function addDocumentRoutes(router: EchoRouter): void {
  for (const [path, type, file] of DOCUMENTS)
    router.get(path, (ctx) => sendDocument(ctx, type, readDocument(file)))
  router.get('/forms/post', (ctx) => {
    const page = readDocument('form.html').toString()
    sendDocument(ctx, HTML, page.replace('"/post"', `"${ownPath(ctx, '/post')}"`))
  })
  router.get('/image', (ctx) => {
    const accepted = ctx.req.headers.accept?.toLowerCase() ?? 'image/png'
    const wanted = accepted.replaceAll(/(?:image|\*)\/\*/g, 'image/png')
    const image = IMAGES.find(([, type]) => wanted.includes(type))
    if (image) sendImage(ctx, image)
    else sendStatus(ctx, 406)
  })
  for (const image of IMAGES) router.get(`/image/${image[0]}`, (ctx) => sendImage(ctx, image))
  for (const [path, coding, flag, name] of ENCODINGS) {
    const compress = zlib[name] as typeof zlib.gzip
    router.get(path, async (ctx) => {
      const echo = { ...describeRequest(ctx, ['headers', 'method', 'origin']), [flag]: true }
      const body = await promisify<string, Buffer>(compress)(`${printJson(echo)}\n`)
      ctx.set('Content-Encoding', coding)
      sendDocument(ctx, 'application/json', body)
    })
  }
}

function sendImage(ctx: EchoContext, [format, type]: (typeof IMAGES)[number]): void {
  sendDocument(ctx, type, readDocument(`image.${format}`))
}
