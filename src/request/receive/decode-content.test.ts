import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Exchange } from '../exchange.ts'
import { respondEncoded, startRawServer } from '../fixtures/raw-server.ts'
import { sendRequest, type LoneOptions } from '../fixtures/send-request.ts'

const plain = Buffer.from('{"text":"é"}'.repeat(100))

async function receive(body: Uint8Array, encoding: string, options: LoneOptions = {}): Promise<Exchange> {
  const server = await startRawServer((socket) => void socket.write(respondEncoded(body, encoding)))
  const exchange = await sendRequest(
    { method: 'GET', url: `${server.url}/`, headers: [], timeout: 10_000, maxRedirects: 0 },
    options,
  )
  await server.close()
  return exchange
}

const encodings: [name: string, encode: (body: Uint8Array) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
]

describe.each(encodings)('%s', (name, encode) => {
  test('is undone, the bytes on the wire are counted', async () => {
    const encoded = encode(plain)
    const { response, failure } = await receive(encoded, name)
    expect(failure).toBeUndefined()
    expect(Buffer.from(response?.body ?? []).equals(plain)).toBe(true)
    expect(response?.transferBytes).toBe(encoded.byteLength)
  })

  test('a body may fill the last buffer', async () => {
    for (const length of [16_384, 65_536, 16_411]) {
      const { response, failure } = await receive(encode(Buffer.alloc(length, 'a')), name)
      expect([length, failure?.message, response?.body.byteLength]).toEqual([length, undefined, length])
    }
  })

  test('that is cut anywhere is a failure, and the head is kept', async () => {
    const encoded = encode(plain)
    for (const length of [1, 5, Math.floor(encoded.byteLength / 2), encoded.byteLength - 1]) {
      const { response, failure } = await receive(encoded.subarray(0, length), name)
      expect([length, failure?.phase]).toEqual([length, 'decode'])
      expect(failure?.message).toContain(`the ${name} body is cut or corrupt`)
      expect(response).toMatchObject({ statusCode: 200, transferBytes: length })
      expect(response?.body.byteLength).toBe(0)
    }
  })

  test('that is corrupt is a failure', async () => {
    expect((await receive(Buffer.from('\x1f\x8bthis is no such thing at all'), name)).failure?.phase).toBe(
      'decode',
    )
  })

  test('with bytes after its end is a failure', async () => {
    const { failure } = await receive(Buffer.concat([encode(plain), Buffer.from('trailing')]), name)
    expect(failure?.phase).toBe('decode')
  })

  test('of exactly the limit is fine, and is stopped beyond it', async () => {
    const bodyLimit = plain.byteLength
    expect((await receive(encode(plain), name, { bodyLimit })).failure).toBeUndefined()
    const { failure } = await receive(encode(plain), name, { bodyLimit: bodyLimit - 1 })
    expect(failure).toMatchObject({ phase: 'decode', code: 'BODY_TOO_LARGE' })
  })
})

describe('encodings', () => {
  test('one after the other are undone from the last', async () => {
    const { response } = await receive(brotliCompressSync(gzipSync(plain)), 'gzip, BR')
    expect(Buffer.from(response?.body ?? []).equals(plain)).toBe(true)
  })

  test('may be five, not six', async () => {
    let body: Buffer = plain
    for (let count = 0; count < 5; count++) body = gzipSync(body)
    expect((await receive(body, 'gzip,gzip,gzip,gzip,gzip')).failure).toBeUndefined()
    const { failure } = await receive(gzipSync(body), 'gzip,gzip,gzip,gzip,gzip,gzip')
    expect(failure).toMatchObject({ phase: 'decode', code: 'TOO_MANY_ENCODINGS' })
    expect(failure?.message).toContain('6 content encodings, more than 5')
  })

  test('that stack bombs stay within memory', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(200 * 1024 * 1024), { level: 1 }))
    const before = process.memoryUsage().rss
    const { failure } = await receive(bomb, 'gzip, gzip')
    expect(failure).toMatchObject({ phase: 'decode', code: 'BODY_TOO_LARGE' })
    expect(failure?.message).toContain('larger than 52428800 bytes')
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024)
  })

  test('that are unknown are a failure', async () => {
    for (const name of ['compress', 'zstd', '__proto__', 'constructor', 'aws-chunked']) {
      const { failure } = await receive(plain, name)
      expect(failure).toMatchObject({ phase: 'decode', code: 'UNKNOWN_ENCODING' })
      expect(failure?.message).toContain(
        `\`${name}\` (string) is unknown (UNKNOWN_ENCODING). The header \`accept-encoding: identity\` asks the server for none`,
      )
    }
  })

  test('named identity or nothing are none', async () => {
    for (const name of ['identity', '', ' , ', 'none', 'UTF-8', 'binary']) {
      expect(Buffer.from((await receive(plain, name)).response?.body ?? []).equals(plain)).toBe(true)
    }
  })

  test('of an empty body do nothing', async () => {
    expect((await receive(new Uint8Array(), 'gzip')).failure).toBeUndefined()
  })

  test('deflate may lack its zlib header', async () => {
    const { response } = await receive(deflateRawSync(plain), 'deflate')
    expect(Buffer.from(response?.body ?? []).equals(plain)).toBe(true)
  })

  test('gzip may have several members', async () => {
    const { response } = await receive(Buffer.concat([gzipSync(plain), gzipSync(plain)]), 'gzip')
    expect(response?.body.byteLength).toBe(2 * plain.byteLength)
  })

  test('gzip that was flushed but never finished is cut', async () => {
    const open = gzipSync(plain, { finishFlush: constants.Z_SYNC_FLUSH })
    expect((await receive(open, 'gzip')).failure?.phase).toBe('decode')
  })
})
