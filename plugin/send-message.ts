import { inject } from 'vitest'
import { MESSAGE_PREFIX, seal, type ImportModule, type Message } from './messages.ts'

let count = 0

/** Sends a message and returns the answer; each import has an id of its own, so none is served from a cache. */
export async function sendMessage(importModule: ImportModule, message: Message): Promise<unknown> {
  const body = seal(JSON.stringify(message), inject('suitecase').key)
  const worker = `${process.pid}-${process.env['VITEST_WORKER_ID'] ?? ''}`
  const module = await importModule(`${MESSAGE_PREFIX}${worker}-${count++}/${body}`)
  return module.default
}
