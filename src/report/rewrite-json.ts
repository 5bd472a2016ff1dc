import type { Json, JsonObject } from '../json.ts'

/** What happens to the parts of a value; `secret` is true below a key that `isSecretKey` named. */
export type JsonRewrite = {
  leaf(value: null | boolean | number | string, secret: boolean): Json
  key(key: string): string
  isSecretKey(key: string): boolean
}

/** Copies a JSON value of any depth without recursion, rewriting keys and leaves; keys keep their order and may be `__proto__`. */
export function rewriteJson(root: Json, rewrite: JsonRewrite): Json {
  const pending: [source: Json[] | JsonObject, target: Json[] | JsonObject, secret: boolean][] = []

  function start(value: Json, secret: boolean): Json {
    if (value === null || typeof value !== 'object') return rewrite.leaf(value, secret)
    const target: Json[] | JsonObject = Array.isArray(value) ? [] : {}
    pending.push([value, target, secret])
    return target
  }

  const result = start(root, false)
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [source, target, secret] = next
    if (Array.isArray(source)) for (const item of source) (target as Json[]).push(start(item, secret))
    else {
      for (const key of Object.keys(source)) {
        const value = start(source[key] as Json, secret || rewrite.isSecretKey(key))
        defineKey(target as JsonObject, rewrite.key(key), value)
      }
    }
  }
  return result
}

/** Sets an own property even for `__proto__`; a key that is already there gets a number behind it, so that nothing is lost. */
function defineKey(target: JsonObject, key: string, value: Json): void {
  let free = key
  for (let count = 2; Object.hasOwn(target, free); count += 1) free = `${key} (${count})`
  Object.defineProperty(target, free, { value, enumerable: true, configurable: true, writable: true })
}
