import * as imported from 'vitest'

/** The Vitest that runs the file. An import may find another, if this package is linked or due to pnpm. */
const running: typeof imported = Reflect.get(globalThis, '__vitest_index__') ?? imported
export const { beforeAll, describe, expect, inject, test, TestRunner, vi } = running
