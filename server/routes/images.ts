import { sendDocument, type EchoContext, type EchoRouter } from '../context.ts'
import { sendStatus } from './status.ts'

/** Small pictures, of a suitcase or a plain field, in the order in which `/image` prefers their formats, as httpbin does. */
const IMAGES = [
  decodeImage('webp', 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'),
  {
    name: 'svg',
    type: 'image/svg+xml',
    body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2b6cb0" d="M0 0h16v16H0z"/><path fill="#f6ad55" d="M3 5h10v8H3z"/><path fill="#fff" d="M6 3h4v2H6z"/></svg>\n',
  },
  decodeImage(
    'jpeg',
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBD/wAALCAAQABABAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AAP/Z',
  ),
  decodeImage(
    'png',
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAgMAAABinRfyAAAACVBMVEUrbLD2rVX///+T53dLAAAAF0lEQVR42mNgQANcC6AEY2ioAzEEKgAATY0IraikusIAAAAASUVORK5CYII=',
  ),
]

function decodeImage(name: string, base64: string): { name: string; type: string; body: Buffer } {
  return { name, type: `image/${name}`, body: Buffer.from(base64, 'base64') }
}

/** `/image/{png,jpeg,webp,svg}`, and `/image` in the format that the client accepts (PNG without an `Accept`). */
export function addImageRoutes(router: EchoRouter): void {
  router.get('/image', sendAccepted)
  for (const { name, type, body } of IMAGES)
    router.get(`/image/${name}`, (ctx) => sendDocument(ctx, type, body))
}

function sendAccepted(ctx: EchoContext): void {
  const accepted = ctx.req.headers.accept?.toLowerCase() ?? 'image/png'
  const wanted = /image\/\*|\*\/\*/.test(accepted) ? 'image/png' : accepted
  const image = IMAGES.find(({ type }) => wanted.includes(type))
  if (image) sendDocument(ctx, image.type, image.body)
  else sendStatus(ctx, 406)
}
