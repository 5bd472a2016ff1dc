import { type Reply } from '../reply.ts'
import type { Route } from '../route.ts'
import { PICTURES } from './pictures.ts'
import { replyStatus } from './status.ts'

/** In the order in which `/image` prefers them, as httpbin does. */
const IMAGES: readonly { name: string; type: string; body: Buffer }[] = [
  { name: 'webp', type: 'image/webp', body: Buffer.from(PICTURES.webp, 'base64') },
  { name: 'svg', type: 'image/svg+xml', body: Buffer.from(PICTURES.svg) },
  { name: 'jpeg', type: 'image/jpeg', body: Buffer.from(PICTURES.jpeg, 'base64') },
  { name: 'png', type: 'image/png', body: Buffer.from(PICTURES.png, 'base64') },
]

/** `/image/{png,jpeg,webp,svg}`, and `/image` in the format that the client accepts (PNG without an `Accept`). */
export const imageRoutes: Route[] = [
  { methods: ['GET'], path: '/image', handle: ({ message }) => replyAccepted(message.headers.accept) },
  ...IMAGES.map(({ name, type, body }): Route => ({
    methods: ['GET'],
    path: `/image/${name}`,
    handle: () => ({ status: 200, headers: ['Content-Type', type], body }),
  })),
]

function replyAccepted(accept = 'image/png'): Reply {
  const accepted = accept.toLowerCase()
  const wanted = /image\/\*|\*\/\*/.test(accepted) ? 'image/png' : accepted
  const image = IMAGES.find(({ type }) => wanted.includes(type))
  return image ? { status: 200, headers: ['Content-Type', image.type], body: image.body } : replyStatus(406)
}
