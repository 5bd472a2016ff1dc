import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts the echo server in a process of its own. */
export async function startEcho(): Promise<{ url: string; stop(): void }> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('server-child.ts', import.meta.url)), 'suitecase'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: `http://127.0.0.1:${Number(port.toString())}`, stop: () => child.kill() }
}
