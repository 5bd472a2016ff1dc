export { createApp } from './app.ts'
export type { EchoOptions } from './limits.ts'
export { type EchoServer, startServer, type StartOptions } from './start-server.ts'
