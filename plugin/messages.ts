import type { ClaimRequest, Published } from './export-board.ts'

/** Ids under this prefix are messages of a worker to the main process, answered by the plugin's `load` hook. */
export const MESSAGE_PREFIX = 'virtual:suitecase/message/'

/** What a worker can ask or tell. */
export type Message =
  | ({ kind: 'claim' } & ClaimRequest)
  /** Which exports of a suite others in this run want; null for all. */
  | { kind: 'wanted'; nodeId: string }
  | { kind: 'publish'; nodeId: string; published: Published; more?: boolean }
  | { kind: 'secrets'; values: string[] }

/** Import of a module id through Vitest, which only a test module itself can make. */
export type ImportModule = (id: string) => Promise<{ default: unknown }>

let count = 0

/** Sends a message and returns the answer; each import has an id of its own, so none is served from a cache. */
export async function sendMessage(importModule: ImportModule, message: Message): Promise<unknown> {
  const body = Buffer.from(JSON.stringify(message)).toString('base64url')
  const worker = `${process.pid}-${process.env['VITEST_WORKER_ID'] ?? ''}`
  const module = await importModule(`${MESSAGE_PREFIX}${worker}-${count++}/${body}`)
  return module.default
}

/** Reads a message out of a module id. */
export function readMessage(id: string): Message {
  return JSON.parse(Buffer.from(id.slice(id.lastIndexOf('/') + 1), 'base64url').toString()) as Message
}
