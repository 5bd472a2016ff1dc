import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type ServerProcess = AsyncDisposable & {
  port: number
  /** Processor time that it has used so far, in µs. */
  processorTime: () => Promise<number>
}

/** Starts our server, or plain Koa with a router that does the same work. */
export async function startServerProcess(candidate: 'suitecase' | 'koa + router'): Promise<ServerProcess> {
  const path = fileURLToPath(new URL('server-child.ts', import.meta.url))
  const child = spawn(process.execPath, [path, candidate], { stdio: ['pipe', 'pipe', 'inherit'] })
  const read = async (): Promise<number> => Number(String((await once(child.stdout, 'data'))[0]))
  return {
    port: await read(),
    processorTime() {
      child.stdin.write('\n')
      return read()
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}
