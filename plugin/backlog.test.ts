import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Backlog } from './backlog.ts'

test('work is done in order, each once, when nothing else is to be done', async () => {
  const backlog = new Backlog()
  const done: string[] = []
  const first = backlog.add(() => done.push('first'))
  backlog.add(() => done.push('second'))
  expect(done).toEqual([])
  await setImmediate()
  expect(done).toEqual(['first', 'second'])
  expect(first()).toBe(1)
  backlog.finish()
  expect(done).toEqual(['first', 'second'])
})

test('a result that is asked for comes at once, after those of earlier work', () => {
  const backlog = new Backlog()
  const done: string[] = []
  backlog.add(() => done.push('first'))
  const second = backlog.add(() => done.push('second'))
  expect(second()).toBe(2)
  expect(done).toEqual(['first', 'second'])
})

test('work that throws has no result, and does not keep other work from being done', () => {
  const backlog = new Backlog()
  const broken = backlog.add(() => {
    throw new Error('broken')
  })
  const next = backlog.add(() => 'next')
  expect(broken).toThrow('broken')
  expect(broken).toThrow('broken')
  expect(next()).toBe('next')
})
