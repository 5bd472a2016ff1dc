import { expect } from '../fixture.ts'
import { request } from './raw-client.ts'

/** The echo of a request sent as raw bytes. */
export async function echoOf(
  port: number,
  head: string,
  body: string | Buffer = '',
): Promise<Record<string, unknown>> {
  const length = body.length === 0 ? '' : `\r\nContent-Length: ${Buffer.byteLength(body)}`
  const answer = await request(port, `${head}${length}`, body)
  expect(answer.status).toBe(200)
  expect(answer.headers['content-length']).toBe(String(answer.body.length))
  return JSON.parse(answer.body)
}
