import { createRequire } from 'node:module'
import type { Client } from 'undici'

let constructor: typeof Client | undefined

/** Loads undici's client alone: the whole package takes some 40 ms more, in every worker. */
export function loadClient(): typeof Client {
  constructor ??= createRequire(import.meta.url)('undici/lib/dispatcher/client.js') as typeof Client
  return constructor
}
