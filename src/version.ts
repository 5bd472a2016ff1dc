import { createRequire } from 'node:module'

export const { version } = createRequire(import.meta.url)('suitecase/package.json') as { version: string }
