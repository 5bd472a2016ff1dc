import { Problem } from './problem.ts'
import { getProduct } from './products.ts'

/** A product, and how many of it. */
export type CartLine = { product: string; quantity: number; price: number }

/** What a user is about to buy. Prices are in euro cents. */
export type Cart = { lines: CartLine[]; total: number }

const carts = new Map<string, Map<string, number>>()

/** The cart of a user, empty at first. */
export function readCart(user: string): Cart {
  const lines = [...(carts.get(user) ?? [])].map(([id, quantity]) => {
    const { price } = getProduct(id)
    return { product: id, quantity, price: price * quantity }
  })
  return { lines, total: lines.reduce((sum, { price }) => sum + price, 0) }
}

/** Adds a product to a user's cart. */
export function addToCart(user: string, line: { product?: unknown; quantity?: unknown }): Cart {
  const { product, quantity = 1 } = line
  if (typeof quantity !== 'number' || !Number.isInteger(quantity) || quantity < 1 || quantity > 99)
    throw new Problem(422, 'bad_quantity', '`quantity` must be a whole number from 1 to 99.')
  const { id } = getProduct(String(product))
  const cart = carts.get(user) ?? new Map<string, number>()
  cart.set(id, (cart.get(id) ?? 0) + quantity)
  carts.set(user, cart)
  return readCart(user)
}

/** Empties a user's cart. */
export function clearCart(user: string): void {
  carts.delete(user)
}
