import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import { createClient } from '../send-request.ts'
import { startHttpServer } from '../fixtures/http-server.ts'

test('request mocking in the same process never answers our own requests', async () => {
  const plain = await startHttpServer((_request, response) => void response.end('real'))
  const secure = await startHttpServer((_request, response) => void response.end('real'), { tls: true })
  const mocks = setupServer(
    http.all(`${plain.url}/x`, () => HttpResponse.text('mocked')),
    http.all(`${secure.url}/x`, () => HttpResponse.text('mocked')),
  )
  mocks.listen()
  const client = createClient()
  for (const { url } of [plain, secure]) {
    const { response } = await client.send({
      method: 'GET',
      url: `${url}/x`,
      headers: [],
      timeout: 3000,
      maxRedirects: 0,
      connection: { insecure: true },
    })
    expect(Buffer.from(response?.body ?? []).toString()).toBe('real')
  }
  // The mocks do apply to other requests.
  expect(await (await fetch(`${plain.url}/x`)).text()).toBe('mocked')
  mocks.close()
  await client.close()
  await plain.close()
  await secure.close()
})
