export { type AppOptions, createApp, createRouter, type RouterOptions } from './app.ts'
export type { EchoContext, EchoRouter } from './context.ts'
export type { EchoOptions } from './limits.ts'
export { type EchoServer, startServer, type StartOptions } from './start-server.ts'
