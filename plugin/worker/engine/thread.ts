/** Entry of the worker's thread, which may start before its environment is known. So it loads all else only then. */
import { once } from 'node:events'
import { enableCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import type { Launch, ThreadData } from '../../contract/parcel.ts'

// The first request would load this built-in module. A thread that waits anyway loses no time by it.
process.getBuiltinModule('node:http2')
const { port } = workerData as ThreadData
const [{ env, compiled }] = (await once(port, 'message')) as [Launch]
port.close()
for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
Object.assign(process.env, env)
// Vitest turns this off if V8 measures coverage.
if (compiled !== undefined) enableCompileCache(compiled)
await import('./worker.ts')
