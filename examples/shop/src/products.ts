import { Problem } from './problem.ts'

/** Something the shop sells. Prices are in euro cents. */
export type Product = { id: string; name: string; category: 'tea' | 'coffee'; price: number }

const products: readonly Product[] = [
  { id: 'assam', name: 'Assam', category: 'tea', price: 790 },
  { id: 'sencha', name: 'Sencha', category: 'tea', price: 1190 },
  { id: 'yirgacheffe', name: 'Yirgacheffe', category: 'coffee', price: 1450 },
]

/** Products of a category whose name contains a text, ignoring case. */
export function findProducts({ category, q }: { category?: string; q?: string }): Product[] {
  return products.filter(
    (product) =>
      (category === undefined || product.category === category) &&
      (q === undefined || product.name.toLowerCase().includes(q.toLowerCase())),
  )
}

/** One product. Throws a problem if the id is unknown. */
export function getProduct(id: string): Product {
  const product = products.find((candidate) => candidate.id === id)
  if (!product) throw new Problem(404, 'no_such_product', `There is no product \`${id}\`.`)
  return product
}
