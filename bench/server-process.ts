import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Our server, and plain Koa with a router that does the same work. */
export type Candidate = 'suitecase' | 'koa + router'

/** A server in its own process. */
export type ServerProcess = {
  port: number
  /** Processor time that it has used so far, in µs. */
  processorTime: () => Promise<number>
  stop: () => void
}

/** Starts a server in its own process. */
export async function startServerProcess(candidate: Candidate): Promise<ServerProcess> {
  const path = fileURLToPath(new URL('server-child.ts', import.meta.url))
  const child = spawn(process.execPath, [path, candidate], { stdio: ['pipe', 'pipe', 'inherit'] })
  const read = async (): Promise<number> => Number(String((await once(child.stdout, 'data'))[0]))
  const port = await read()
  return {
    port,
    processorTime() {
      child.stdin.write('\n')
      return read()
    },
    stop: () => child.kill(),
  }
}
