import * as imported from 'vitest'

/** The Vitest that runs the file. A linked package, or one that pnpm installs, might import another copy. */
const running: typeof imported = Reflect.get(globalThis, '__vitest_index__') ?? imported
export const { beforeAll, describe, expect, inject, test, TestRunner, vi } = running
