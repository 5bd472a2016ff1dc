import * as imported from 'vitest'

/** The Vitest that runs the file. This package may import another copy, as where it is linked, or where pnpm installs one for each set of peers. */
export const { beforeAll, describe, expect, inject, test, TestRunner, vi } = (Reflect.get(
  globalThis,
  '__vitest_index__',
) ?? imported) as typeof imported
