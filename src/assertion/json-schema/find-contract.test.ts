import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runText } from '../../run/fixtures/run-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
const files = {
  'shop.yaml': `
openapi: 3.1.0
servers: [{ url: 'https://{stage}.shop.example:{port}/v1' }, { url: /internal }, { url: '{scheme}://shop.example/{base}' }]
paths:
  /orders/{id}:
    $ref: './paths.yaml#/order'
  /orders/latest:
    get: { responses: { 200: { content: { application/json: { schema: { const: latest } } } } } }
  /files/{name}.csv:
    get: { responses: { '2XX': { content: { text/*: { schema: { type: string } } } } } }
  /files/{name}:
    servers: [{ url: 'https://files.example/store/' }]
    get:
      servers: [{ url: https://files.example/old }]
      responses: { 200: { content: { application/*+json: { schema: { const: 1 } }, 'application/json; v=1': { schema: { const: 1 } }, 'application/json; v=2': { schema: { const: 2 } } } } }
  /files/{name}.{part}:
    get: { responses: { 200: { content: { application/json: { schema: { const: part } } } } } }
  /für uns/{a}-{b}:
    get: { responses: { 200: { $ref: 'https://shop.example/responses.yaml#/found' } } }
  /ping:
    head: { responses: { 200: { content: { application/json: {} } } } }
    delete: { responses: { 204: { description: none } } }
components:
  schemas:
    Problem: { type: object, required: [title], properties: { title: { type: string } } }
`,
  'paths.yaml': `
order:
  get:
    responses:
      200: { $ref: '#/found' }
      default: { content: { 'application/*': { schema: { $ref: './shop.yaml#/components/schemas/Problem' } } } }
  put: { responses: {} }
found:
  content:
    application/json; charset=utf-8:
      schema: { type: object, required: [id], properties: { id: { type: integer }, at: { type: string, format: date-time } } }
`,
  'old.json': JSON.stringify({
    swagger: '2.0',
    basePath: '/api',
    produces: ['application/json'],
    paths: {
      '/scan': {
        get: { produces: ['image/png'], responses: { 200: { schema: { type: 'file' } } } },
        head: { responses: { 200: { schema: { type: 'object' } } } },
        put: { produces: ['text/xml'], responses: { 200: { schema: { type: 'object' } } } },
      },
      '/items': {
        get: {
          responses: { 200: { schema: { type: 'array', items: { $ref: '#/definitions/Item' } } }, 404: {} },
        },
      },
    },
    definitions: { Item: { type: 'object', required: ['sku'] } },
  }),
  'none.yaml': 'type: object\n',
}

/** What the server answers, by path. */
const answers: Record<string, [status: number, type: string, body: string]> = {
  '/orders/7': [200, 'application/json', '{"id":7,"at":"2026-01-01T00:00:00Z"}'],
  '/v1/orders/8': [200, 'application/json', '{"id":"8"}'],
  '/internal/orders/latest': [200, 'application/json', '"latest"'],
  '/orders/9': [404, 'application/problem+json', '{"title":"gone"}'],
  '/orders/10': [503, 'application/problem+json', '{"detail":"gone"}'],
  '/orders/11': [200, 'text/html', '<p>'],
  '/orders/12': [200, 'application/json', ''],
  '/orders/13': [200, 'application/json', '{"id"'],
  '/orders/a/b': [200, 'application/json', '{}'],
  '/files/a.csv': [206, 'text/csv', 'a,b'],
  '/api/items': [200, 'application/json', '[{"sku":"a"},{}]'],
  '/store/files/a': [200, 'application/json;v=2', '2'],
  '/old/files/b': [200, 'application/json; v=2', '1'],
  '/files/c': [200, 'application/vnd.shop+json; v=2', '2'],
  '/some/base/files/d.1': [200, 'application/json', '"part"'],
  '/f%C3%BCr%20uns/1-2': [200, 'application/json', '1'],
  '/api/scan': [200, 'image/png', 'png'],
  '/ping': [200, 'application/json', 'pong'],
}
const answer: RequestListener = (request, response) => {
  const [status, type, body] = answers[request.url ?? ''] ?? [500, 'text/plain', '']
  response.writeHead(status, { 'content-type': type }).end(body)
}
const server = createServer(answer)

beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

function run(steps: string, head = ''): ReturnType<typeof runText> {
  const { port } = server.address() as AddressInfo
  return runText(`suite_name: Test\nbase_url: 'http://127.0.0.1:${port}'\n${head}\nsteps:\n${steps}`, {
    folder,
  })
}

describe('a response is as its OpenAPI document says', () => {
  test.for<[request: string, message: string | undefined, document?: string]>([
    ['GET /orders/7', undefined],
    [
      'GET /v1/orders/8',
      'Expected `body` to match the schema of `GET /orders/{id}` of `./shop.yaml`, response 200:\n  `body.id` must be integer',
    ],
    ['GET /internal/orders/latest', undefined],
    ['GET /orders/9', undefined],
    [
      'GET /orders/10',
      "Expected `body` to match the schema of `GET /orders/{id}` of `./shop.yaml`, response default:\n  `body` must have required property 'title'",
    ],
    [
      'GET /orders/11',
      'The response is not as `openapi` says: `GET /orders/{id}` of `./shop.yaml`, response 200 has no content type `text/html`; it has application/json; charset=utf-8',
    ],
    [
      'GET /orders/12',
      'The response is not as `openapi` says: `GET /orders/{id}` of `./shop.yaml`, response 200 has a body (application/json; charset=utf-8), but none came',
    ],
    ['GET /orders/13', 'The body is not valid JSON'],
    [
      'GET /orders/a/b',
      'The response is not as `openapi` says: `/orders/a/b` is not a path of `./shop.yaml`',
    ],
    [
      'PATCH /orders/7',
      'The response is not as `openapi` says: `./shop.yaml` has no `PATCH` of `/orders/{id}`; it has GET, PUT',
    ],
    [
      'PUT /orders/7',
      'The response is not as `openapi` says: `PUT /orders/{id}` of `./shop.yaml` has no response 200; it has ',
    ],
    ['GET /files/a.csv', undefined],
    ['HEAD /ping', undefined],
    [
      'DELETE /ping',
      'The response is not as `openapi` says: `DELETE /ping` of `./shop.yaml` has no response 200; it has 204',
    ],
    [
      'GET /api/items',
      "Expected `body` to match the schema of `GET /items` of `./old.json`, response 200:\n  `body[1]` must have required property 'sku'",
      './old.json',
    ],
    ['GET /orders/7', undefined, join(folder, 'shop.yaml')],
    ['GET /store/files/a', undefined],
    [
      'GET /old/files/b',
      'schema of `GET /files/{name}` of `./shop.yaml`, response 200:\n  `body` must be equal to constant (2)',
    ],
    [
      'GET /files/c',
      'schema of `GET /files/{name}` of `./shop.yaml`, response 200:\n  `body` must be equal to constant (1)',
    ],
    ['GET /some/base/files/d.1', undefined],
    [
      'GET /f%C3%BCr%20uns/1-2',
      "The response is not as `openapi` says: can't resolve reference https://shop.example/responses.yaml#/found; nothing is fetched",
    ],
    ['GET /api/scan', undefined, './old.json'],
    ['HEAD /api/scan', undefined, './old.json'],
    [
      'PUT /api/scan',
      '`PUT /scan` of `./old.json`, response 200 has no content type `image/png`; it has text/xml',
      './old.json',
    ],
  ])('%s: %s', async ([request, message, document = './shop.yaml']) => {
    const [method, url] = request.split(' ')
    const { outcomes } = await run(
      `  - name: one\n    request: { method: ${method}, url: '${url}' }\n    assert: { openapi: '${document}' }\n`,
    )
    const [row] = outcomes['one']?.result.assertions_results ?? []
    expect(row).toMatchObject({ field: 'openapi', expected: document, passed: message === undefined })
    const messages = outcomes['one']?.failures.map((failure) => failure.message).join('\n')
    expect(messages).toContain(message ?? '')
    expect(messages === '').toBe(message === undefined)
  })

  test('the suite depends on the document, and on what that refers to', async () => {
    const { run: ran } = await run(
      '  - { name: one, request: { url: /orders/7 }, assert: { openapi: ./shop.yaml } }',
    )
    expect(new Set(ran.plan.files)).toEqual(new Set([join(folder, 'shop.yaml'), join(folder, 'paths.yaml')]))
  })

  test('as a default for all steps, which one step removes, and in a branch', async () => {
    const { outcomes } = await run(
      `  - { name: right, request: { url: /orders/7 }, assert: { body.id: 7 } }
  - { name: wrong, request: { url: /orders/11 }, assert: { body: '<p>' } }
  - { name: without, request: { url: /orders/11 }, assert: { openapi: null, body: '<p>' } }
  - name: branch
    request: { url: /ping }
    assert: { openapi: null }
    scenarios: [{ condition: status_code == 200, then: { assert: { openapi: ./shop.yaml } } }]
  - name: many
    request: { url: /v1/orders/8 }
    burst: { times: 2 }
`,
      'defaults: { assert: { openapi: ./shop.yaml } }',
    )
    const messages = Object.values(outcomes).map(({ failures }) => failures.map(({ message }) => message))
    expect(messages).toEqual([
      [],
      [expect.stringContaining('no content type `text/html`')],
      [],
      [expect.stringContaining('has no `GET` of `/ping`; it has DELETE, HEAD')],
      [expect.stringMatching(/must be integer.* \(response 1 of 2, one of 2 that failed\)/s)],
    ])
  })

  test.for([
    ['none.yaml', '`none.yaml` is not an OpenAPI document: it has neither `openapi` nor `swagger`.'],
    ['lost.yaml', 'the file `lost.yaml` does not exist.'],
  ])('a document that cannot be used is told before the run: %s', async ([name, message]) => {
    const loading = run(`  - { name: one, request: { url: / }, assert: { openapi: ${name} } }\n`)
    await expect(loading).rejects.toThrow(`The \`openapi\` check cannot be made: ${message}`)
  })

  test.for(['5', "'{{x}}'", '{ file: a.yaml }'])(
    'its name is a text without templates, not %s',
    async (written) => {
      const loading = run(`  - { name: one, request: { url: / }, assert: { openapi: ${written} } }\n`)
      await expect(loading).rejects.toThrow('Expected `openapi` to be the name of a file without `{{…}}`')
    },
  )
})
