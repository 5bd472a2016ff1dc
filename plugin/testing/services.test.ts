import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { certificate } from '../../src/request/fixtures/certificate.ts'
import { startHttpServer } from '../../src/request/fixtures/http-server.ts'
import { createProject } from './fixtures/project.ts'

/** A warehouse with a SOAP API that only accepts clients with our certificate. */
const startWarehouse = () =>
  startHttpServer(
    async (request, response) => {
      const client = (request.socket as TLSSocket).getPeerCertificate().subject.CN
      const sku = /<w:sku>(\w+)<\/w:sku>/.exec(Buffer.concat(await request.toArray()).toString())?.[1] ?? ''
      const isKnown = sku === 'lamp'
      const inner = isKnown
        ? `<w:stock client="${String(client)}"><w:item id="7" place="A1">4</w:item><w:item id="8" place="B2">11</w:item></w:stock>`
        : `<e:Fault><faultcode>e:Client</faultcode><faultstring>Unknown: ${sku}</faultstring></e:Fault>`
      response.writeHead(isKnown ? 200 : 500, { 'content-type': 'text/xml; charset=utf-8' })
      response.end(
        `<?xml version="1.0"?><e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:w="urn:warehouse"><e:Body>${inner}</e:Body></e:Envelope>`,
      )
    },
    { tls: { ca: certificate.cert, requestCert: true, rejectUnauthorized: true } },
  )

test('a SOAP service that wants a client certificate', async () => {
  await using warehouse = await startWarehouse()
  const ask = (sku: string): string =>
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><w:find xmlns:w="urn:warehouse"><w:sku>${sku}</w:sku></w:find></s:Body></s:Envelope>`
  await using project = await createProject({
    'certs/client.pem': certificate.cert,
    'certs/client.key': certificate.key,
    'requests/lamp.xml': ask('lamp'),
    'warehouse.suite.yaml': `suite_name: Warehouse
node_id: warehouse
base_url: https://localhost:${warehouse.port}
tls: { cert: certs/client.pem, key: certs/client.key, ca: certs/client.pem }
xml_namespaces: { soap: 'http://schemas.xmlsoap.org/soap/envelope/', w: 'urn:warehouse' }
defaults:
  headers: { content-type: text/xml, soapaction: find }
steps:
  - name: Find a lamp
    request: { method: POST, url: /soap, file: requests/lamp.xml }
    save: stock.xml
    assert:
      status_code: 200
      xpath:
        //w:stock/@client: localhost
        //w:item: [4, 11]
        //w:item[@place='B2']: { greater_than: 10 }
        sum(//w:item): 15
        //soap:Fault: { exists: false }
    capture:
      place: { xpath: '//w:item[. > 10]/@place' }
  - name: Ask for what is not there
    request: { method: POST, url: '/soap?from={{place}}', body: '${ask('chair')}' }
    assert:
      status_code: 500
      xpath: { //soap:Fault/faultstring: { starts_with: 'Unknown: ', contains: chair } }
  - name: See what a wrong expectation says
    request: { method: POST, url: /soap, file: requests/lamp.xml }
    assert: { xpath: { "//w:item[@id='7']": 5 } }
`,
    'stranger.suite.yaml': `suite_name: Stranger
base_url: https://localhost:${warehouse.port}
tls: { ca: certs/client.pem }
steps:
  - name: Without a certificate
    request: { method: POST, url: /soap, file: requests/lamp.xml }
`,
  })
  const { output } = await project.run('--no-color')
  expect(output).toMatch(/Tests {2}2 failed \| 2 passed/)
  expect(output).toContain(
    `Expected \`xpath["//w:item[@id='7']"]\` to equal \`"5"\` (string), got \`"4"\` (string)`,
  )
  expect(output).toContain('warehouse.suite.yaml:29:45')
  expect(output).toMatch(/× Without a certificate/)
  const { request_details: request } = await project.step('warehouse', 'Ask for what is not there')
  expect(request?.full_url).toBe(`https://localhost:${warehouse.port}/soap?from=B2`)
  expect(await project.read('.vitest/suitecase/saved/stock.xml')).toMatch(
    /^<\?xml version="1.0"\?><e:Envelope/,
  )
}, 60_000)

test('a GraphQL API behind OAuth 2.0: one token for all steps, none of it in the reports', async () => {
  await using project = await createProject({
    'users.suite.yaml': `suite_name: Users
node_id: users
base_url: '{{echo_url}}'
defaults:
  auth: { oauth2: { token_url: /oauth/token, client_id: reports, client_secret: s3cret-of-reports, scope: read } }
steps:
  - name: Admins
    request:
      url: /graphql
      graphql:
        query: 'query Admins($role: Role) { users(role: $role) { id name orders { total } } }'
        variables: { role: ADMIN }
    assert: { data.users: { length: 1, each: { name: { minLength: 1 } } }, 'data.users[0].orders[0].total': 12.5 }
    capture: { id: 'data.users[0].id' }
  - name: One of them
    request:
      url: /graphql
      graphql: { query: 'query One($id: ID!) { user(id: $id) { name } }', variables: { id: '{{id}}' } }
    assert: { data.user.name: Ada }
  - name: What is not there
    request: { url: /graphql, graphql: { query: '{ nobody }' } }
    assert: { errors: { minLength: 1, each: { message: { contains: nobody } } } }
  - name: Errors fail a step that does not expect them
    request: { url: /graphql, graphql: { query: '{ nobody }' } }
  - name: The token that was sent
    request: { url: /bearer }
    assert: { body: { authenticated: true } }
`,
  })
  const { output } = await project.run('--no-color')
  expect(output).toMatch(/Tests {2}1 failed \| 4 passed/)
  expect(output).toContain('Cannot query field')
  const { steps_results: steps } = await project.result('users')
  const sent = steps.flatMap(({ auth_requests: requests = [] }) => requests)
  expect(sent).toMatchObject([{ method: 'POST', status_code: 200 }])
  const text = JSON.stringify(steps)
  expect(text).not.toContain('s3cret-of-reports')
  expect(text).not.toMatch(/access-[0-9a-f-]{36}/)
}, 60_000)
