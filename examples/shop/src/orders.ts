import { randomUUID } from 'node:crypto'
import { clearCart, readCart, type CartLine } from './carts.ts'
import { charge } from './payment.ts'
import { Problem } from './problem.ts'
import type { Settings } from './settings.ts'

/** A paid order of a user. */
export type Order = {
  id: string
  user: string
  lines: CartLine[]
  total: number
  payment: string
  placed_at: string
}

const orders = new Map<string, Order>()

/** Pays for a user's cart and turns it into an order. If the payment fails, the cart stays as it is. */
export async function placeOrder(user: string, card: unknown, settings: Settings): Promise<Order> {
  const { lines, total } = readCart(user)
  if (lines.length === 0) throw new Problem(409, 'empty_cart', 'The cart is empty.')
  if (typeof card !== 'string') throw new Problem(400, 'no_card', '`card` must be a text.')
  const id = randomUUID()
  const payment = await charge({ amount: total, reference: id, card }, settings)
  const order: Order = { id, user, lines, total, payment, placed_at: new Date().toISOString() }
  orders.set(id, order)
  clearCart(user)
  return order
}

/** An order of this user. Orders of others count as missing. */
export function getOrder(user: string, id: string): Order {
  const order = orders.get(id)
  if (order?.user !== user) throw new Problem(404, 'no_such_order', 'There is no such order.')
  return order
}
