import { type EchoContext, type EchoRouter, sendDocument } from '../context.ts'
import { PICTURES } from './pictures.ts'
import { sendStatus } from './status.ts'

/** In the order in which `/image` prefers them, as httpbin does. */
const IMAGES = [
  { name: 'webp', type: 'image/webp', body: Buffer.from(PICTURES.webp, 'base64') },
  { name: 'svg', type: 'image/svg+xml', body: Buffer.from(PICTURES.svg) },
  { name: 'jpeg', type: 'image/jpeg', body: Buffer.from(PICTURES.jpeg, 'base64') },
  { name: 'png', type: 'image/png', body: Buffer.from(PICTURES.png, 'base64') },
]

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
