import { createConnection, loadClient, nameSettings, type Connection } from './connection.ts'
import type { ConnectionSettings } from '../exchange.ts'

/** Kept-alive connections by origin and settings. */
export type ConnectionPool = {
  /** `fresh`: a new connection; `sure`: no idle one that its server may be about to close, so none that was idle for a second. */
  acquire(origin: string, settings: ConnectionSettings, need?: 'fresh' | 'sure'): Connection
  /** Takes a connection back whose request ended well and left nothing on it. */
  release(connection: Connection): void
  /** Takes back and ends a connection that cannot be used again. */
  drop(connection: Connection): void
  /** Ends all connections, those in use included. */
  close(): Promise<void>
}

/** Creates a pool, for any number of requests at once, whose answers have heads of at most so many bytes. Idle connections close after 4 s, or earlier if the server's `keep-alive` header says so, and keep no process alive. */
export function createPool(headLimit: number): ConnectionPool {
  const idle = new Map<string, Connection[]>()
  const busy = new Map<Connection, string>()
  let closed = false
  // Here, so that no request is timed with it.
  loadClient()

  function open(key: string, origin: string, settings: ConnectionSettings): Connection {
    const connection = createConnection(origin, settings, headLimit)
    connection.client.on('disconnect', () => {
      const list = idle.get(key) ?? []
      const at = list.indexOf(connection)
      if (at !== -1) list.splice(at, 1)
      if (list.length === 0) idle.delete(key)
    })
    return connection
  }

  return {
    acquire(origin, settings, need) {
      const key = origin + nameSettings(settings)
      const connection = takeIdle(idle.get(key), need) ?? open(key, origin, settings)
      busy.set(connection, key)
      if (closed) connection.discard()
      return connection
    },
    release(connection) {
      const key = busy.get(connection)
      if (key === undefined) return connection.discard()
      busy.delete(connection)
      connection.progress = undefined
      connection.freeSince = performance.now()
      const list = idle.get(key)
      if (list === undefined) idle.set(key, [connection])
      else list.push(connection)
    },
    drop(connection) {
      busy.delete(connection)
      connection.discard()
    },
    async close() {
      closed = true
      const open = [...busy.keys(), ...[...idle.values()].flat()]
      busy.clear()
      idle.clear()
      for (const connection of open) connection.discard()
      await Promise.all(open.map((connection) => connection.client.destroy()))
    },
  }
}

/** The last one used: it is the least likely to be closed by its server. */
function takeIdle(list: Connection[] = [], need: 'fresh' | 'sure' | undefined): Connection | undefined {
  const last = list.at(-1)
  if (last === undefined || need === 'fresh') return undefined
  return need === 'sure' && performance.now() - last.freeSince > 1000 ? undefined : list.pop()
}
