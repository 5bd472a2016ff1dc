import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StepResult } from '../../run/result.ts'
import { makeStep, recordSuite } from '../fixtures/make-results.ts'
import { makeRun } from '../fixtures/make-run.ts'
import { serialiseSuite } from './suite-file.ts'
import { writeAtomically } from './report-folder.ts'
import { makeHarEntry, serialiseHar } from './serialise-har.ts'

type Har = {
  log: {
    version: string
    pages: { id: string; startedDateTime: string }[]
    entries: { pageref: string; time: number; timings: Record<string, number> }[]
  }
}

test('writes a page per suite and an entry per request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'suitecase-har-'))
  const run = makeRun()
  const suiteFiles = run.map((_, number) => join(folder, `${number}.json`))
  for (const [number, suite] of run.entries())
    writeAtomically(suiteFiles[number] as string, serialiseSuite(recordSuite(suite)))
  let text = ''
  for (const piece of serialiseHar(suiteFiles, (value) => value)) text += piece
  const { log } = JSON.parse(text) as Har
  expect([log.version, log.pages.length, log.entries.length]).toEqual(['1.2', 13, 120])
  // A suite that never started has a start time, too.
  expect(log.pages.map((page) => page.startedDateTime)).toEqual(run.map((suite) => suite.start_time))
  const known = new Set(log.pages.map(({ id }) => id))
  expect(log.entries.every(({ pageref }) => known.has(pageref))).toBe(true)
  for (const { time, timings } of log.entries) {
    const sum = Object.entries(timings).reduce(
      (total, [name, ms]) => total + (name === 'ssl' || ms < 0 ? 0 : ms),
      0,
    )
    expect(time).toBeCloseTo(sum, 6)
  }
  await rm(folder, { recursive: true })
})

test('tells of the last attempt also when it was sent', () => {
  const [step] = makeRun().find(({ node_id }) => node_id === 'retries')?.steps_results ?? []
  const last = step?.attempts?.at(-1)?.start_time
  expect(last).not.toBe(step?.start_time)
  expect(makeHarEntry(step as StepResult, 'suite-1')?.['startedDateTime']).toBe(last)
})

test('carries request and response, and a failed request as status 0 with its reason', () => {
  const entry = makeHarEntry(
    makeStep({ timings: { dns: 1, connect: 2, tls: 3, ttfb: 4, download: 5, total: 20 } }),
    'suite-1',
  )
  expect(entry).toMatchObject({
    time: 20,
    timings: { blocked: 5, dns: 1, connect: 5, ssl: 3, send: 0, wait: 4, receive: 5 },
    request: {
      method: 'GET',
      httpVersion: 'HTTP/1.1',
      headers: [{ name: 'accept', value: 'application/json' }],
      queryString: [{ name: 'a', value: '1' }],
    },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      redirectURL: '',
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      content: { size: 18, mimeType: 'application/json', text: '{"args":{"a":"1"}}' },
    },
  })
  const headers = { location: '/next', 'set-cookie': ['a=1', 'b=2'] }
  const { response_details: moved } = makeStep({})
  expect(
    makeHarEntry(makeStep({ response_details: { ...moved, headers } as never }), 's')?.response,
  ).toMatchObject({
    redirectURL: '/next',
    headers: [
      { name: 'location', value: '/next' },
      { name: 'set-cookie', value: 'a=1' },
      { name: 'set-cookie', value: 'b=2' },
    ],
  })
  const { response_details: _none, ...failed } = makeStep({ error_message: 'ECONNREFUSED' })
  expect(makeHarEntry(failed, 'suite-1')?.response).toMatchObject({ status: 0, comment: 'ECONNREFUSED' })
})

test('carries the body that was sent, and none where there was none', () => {
  const read = (request: object): unknown => {
    const step = makeStep({})
    const details = { ...step.request_details, ...request }
    return makeHarEntry({ ...step, request_details: details } as never, 's')?.request
  }
  const headers = { 'content-type': 'application/json' }
  expect(read({ headers, body: { a: 'ä' } })).toMatchObject({
    postData: { mimeType: 'application/json', text: '{"a":"ä"}' },
  })
  expect(read({ headers, body: undefined })).not.toHaveProperty('postData')
})

test('carries bytes as base64, unless a secret was taken out of them', () => {
  const { response_details: response } = makeStep({})
  const read = (body: string): unknown =>
    makeHarEntry(makeStep({ response_details: { ...response, body } as never }), 's')?.response['content']
  expect(read('data:image/png;base64,iVBORw0KGgo=')).toMatchObject({
    text: 'iVBORw0KGgo=',
    encoding: 'base64',
  })
  for (const text of ['data:image/png;base64,iVBO[redacted]', 'data:,a', '[binary body of 9 MiB]']) {
    expect(read(text)).toMatchObject({ text })
    expect(read(text)).not.toHaveProperty('encoding')
  }
})
