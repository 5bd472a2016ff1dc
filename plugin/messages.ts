import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { ClaimRequest, Published } from './export-board.ts'

/** Ids under this prefix are messages of a worker to the main process, answered by the plugin's `load` hook. */
export const MESSAGE_PREFIX = 'virtual:suitecase/message/'

/** Marks the id of the module that carries a suite's plan. */
export const PLAN_QUERY = '?suitecase-plan'

/** What a worker can ask or tell. */
export type Message =
  | ({ kind: 'claim' } & ClaimRequest)
  /** Which exports of a suite others in this run want; null for all. */
  | { kind: 'wanted'; nodeId: string }
  | { kind: 'publish'; nodeId: string; published: Published; more?: boolean }
  /** Asks for the file of a node id, or of a suite named in a `call`; answered with its plan module's id or null. */
  | { kind: 'find'; reference: string; folder: string }

/** Import of a module id through Vitest, which only a test module itself can make. */
export type ImportModule = (id: string) => Promise<{ default: unknown }>

/** Reads a message out of a module id. Throws for one that was not sealed with this run's key. */
export function readMessage(id: string, key: string): Message {
  return JSON.parse(unseal(id.slice(id.lastIndexOf('/') + 1), key)) as Message
}

/** A key for the messages of one run. */
export function createKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Module ids and metas end up in other reporters' files, and what they carry can be secret: it is encrypted (AES-256-GCM). */
export function seal(text: string, key: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), nonce)
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return sealed.toString('base64url')
}

/** Reads what was sealed with the same key; throws for any other. */
export function unseal(sealed: string, key: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
}
