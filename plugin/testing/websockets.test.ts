import { expect, test } from 'vitest'
import { createProject } from './fixtures/project.ts'

test('messages and events are in the results, the page and the HAR without their secrets; mocks leave the WebSocket alone', async () => {
  await using project = await createProject(
    {
      'src/app.ts': `import { createServer } from 'node:http'\nexport default createServer((_, r) => r.end())\n`,
      'talk.suite.yaml': `
suite_name: Talk
base_url: '{{echo_url}}'
mocks: [{ url: 'http://upstream.test/*', respond: { status: 200 } }]
steps:
  - name: Log in
    websocket:
      url: /websocket/echo
      exchange:
        - send: { user: ada, password: hunter2-ws }
        - expect: { user: ada }
          capture: { who: message.user }
        - send: 'ask again: hunter2-ws'
        - expect: { contains: again }
  - name: Events
    request: { url: '/sse?duration=0&data={"token":"tok-5521aa","who":"{{who}}"}&data=tok-5521aa' }
    stream: {}
    assert: { 'events[0].data.who': ada }
  - name: Wrong
    websocket: { url: /websocket/echo, exchange: [{ send: { n: 1 } }, { expect: { n: 2 } }] }
`,
    },
    { suites: "{ app: './src/app.ts', report: { har: true } }" },
  )
  const { output } = await project.run()
  expect(output).toContain('1 failed | 2 passed (3)')
  expect(output).toContain('talk.suite.yaml:20:86')
  expect(output).toContain('101 Switching Protocols')
  const { request_details, response_details, ...talk } = await project.step('talk', 'Log in')
  expect(request_details).not.toHaveProperty('curl_command')
  expect(response_details).toMatchObject({ status_code: 101, close_code: 1000, body: '' })
  expect(response_details?.messages?.map(({ data }) => data)).toEqual([
    { user: 'ada', password: '[redacted]' },
    { user: 'ada', password: '[redacted]' },
    'ask again: [redacted]',
    'ask again: [redacted]',
  ])
  expect(talk.status).toBe('success')
  const events = (await project.step('talk', 'Events')).response_details?.events
  expect(events?.map(({ data }) => data)).toEqual([{ token: '[redacted]', who: 'ada' }, '[redacted]'])
  for (const name of ['suites/talk.json', 'report.har', 'index.html']) {
    const text = await project.read(`.vitest/suitecase/${name}`)
    expect(text).not.toMatch(/hunter2-ws|tok-5521aa/)
  }
})

test('functions of a suite in TypeScript see events, answers and messages', async () => {
  await using project = await createProject({
    'a.suite.yaml': "suite_name: A\nsteps: [{ name: a, request: { url: '{{echo_url}}/get' } }]\n",
    'typed.test.ts': `import { defineSuite } from 'suitecase'
const request = { url: '/sequence/typed?statuses=201,409' }
defineSuite({
  suite_name: 'Typed',
  base_url: '{{echo_url}}',
  steps: [
    { name: 'stream', request: { url: '/ndjson/2?duration=0' }, stream: { events: 2 },
      capture: { last: ({ events }) => events?.at(-1)?.data.id }, assert: { events: { length: 2 } } },
    { name: 'burst', request, burst: { times: 3 },
      assert: { responses: [{ where: { status_code: 409 }, count: 2 }], custom: [{ condition: ({ responses }) => responses?.length === 3 }] } },
    { name: 'socket', websocket: { url: '/websocket/echo', exchange: [{ send: { n: '{{last}}' } }, { expect: { n: 1 } }] },
      capture: { said: ({ messages }) => messages?.[1]?.data.n }, assert: { messages: { length: 2 } } },
    { name: 'after', request: { url: '/anything/{{said}}' }, assert: { 'body.url': { ends_with: '/anything/1' } } },
  ],
})
`,
  })
  const { output } = await project.run()
  expect(output).toContain('5 passed (5)')
})
