import { Router } from '@koa/router'
import { addToCart, clearCart, readCart } from './carts.ts'
import { getOrder, placeOrder } from './orders.ts'
import { findProducts, getProduct } from './products.ts'
import { fetchRate } from './rates.ts'
import { createSession, login, readUser } from './sessions.ts'
import type { Settings } from './settings.ts'

type Body = Record<string, unknown>

/** All routes of the shop. */
export function createRoutes(settings: Settings): Router {
  const router = new Router()
  addCatalogue(router, settings)
  addSessions(router, settings)
  addOrders(router, settings)
  return router
}

function addCatalogue(router: Router, { ratesUrl }: Settings): void {
  router.get('/products', (context) => {
    const { category, q } = context.query as Record<string, string>
    context.body = { products: findProducts({ ...(category && { category }), ...(q && { q }) }) }
  })
  router.get('/products/:id', async (context) => {
    const product = getProduct(context.params['id'] as string)
    const { currency } = context.query
    if (typeof currency !== 'string') context.body = product
    else {
      const price = Math.round(product.price * (await fetchRate(ratesUrl, currency)))
      context.body = { ...product, price, currency }
    }
  })
}

function addSessions(router: Router, settings: Settings): void {
  router.post('/sessions', (context) => {
    context.status = 201
    context.body = login(readBody(context), settings)
  })
  router.post('/sessions/refresh', (context) => {
    context.body = createSession(readUser(context.get('authorization'), settings), settings)
  })
}

function addOrders(router: Router, settings: Settings): void {
  const user = (context: { get(name: string): string }): string =>
    readUser(context.get('authorization'), settings)
  router.get('/cart', (context) => {
    context.body = readCart(user(context))
  })
  router.post('/cart', (context) => {
    context.body = addToCart(user(context), readBody(context))
  })
  router.delete('/cart', (context) => {
    clearCart(user(context))
    context.status = 204
  })
  router.post('/orders', async (context) => {
    const order = await placeOrder(user(context), readBody(context)['card'], settings)
    context.status = 201
    context.set('location', `/orders/${order.id}`)
    context.body = order
  })
  router.get('/orders/:id', (context) => {
    context.body = getOrder(user(context), context.params['id'] as string)
  })
}

function readBody(context: { request: { body?: unknown } }): Body {
  return (context.request.body ?? {}) as Body
}
