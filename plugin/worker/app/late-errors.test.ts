import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { unlessUnhandled, watchLateErrors } from './late-errors.ts'

/** Watches during a callback, and resolves to the first lines of the errors since. */
async function listErrors(among: 'steps' | 'idle', act: () => Promise<unknown>): Promise<string[]> {
  const watch = watchLateErrors(among)
  try {
    await act()
    return (await watch.end()).map((told) => told.split('\n')[0] as string)
  } finally {
    watch.close()
  }
}

function raise(message: string): void {
  process.emit('uncaughtException', new Error(message))
}

test('an error of a running step is told to it once, and not to what starts meanwhile', async () => {
  const { promise: prepared, resolve } = Promise.withResolvers<void>()
  const started = unlessUnhandled(prepared)
  const first = await listErrors('steps', async () => raise('of the first step'))
  const second = await listErrors('steps', () => (resolve(), started))
  expect([first, second]).toEqual([
    ['The application threw an unhandled error: Error: of the first step'],
    [],
  ])
})

test('an error while applications start is told once the last of them has started', async () => {
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const started = [unlessUnhandled(one.promise), unlessUnhandled(other.promise)]
  const told: string[][] = []
  for (const { resolve } of [one, other])
    told.push(
      await listErrors('idle', async () => {
        if (resolve === one.resolve) raise('of one')
        resolve()
        await setImmediate()
      }),
    )
  await Promise.all(started)
  expect(told).toEqual([[], ['The application threw an unhandled error: Error: of one']])
})
