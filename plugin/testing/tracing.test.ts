import { expect, test } from 'vitest'
import { createProject } from './fixtures/project.ts'
import { listExamples } from './docs/read-pages.ts'

const suite = `suite_name: Traced
node_id: traced
base_url: '{{echo_url}}'
steps:
  - name: Sends the trace along
    request: { url: /get }
    assert: { status_code: 200 }
    capture: { parent: body.headers.Traceparent }
  - name: 'Fails with {{parent}}'
    request: { url: /status/503, headers: { traceparent: own } }
    assert: { status_code: 200 }
`

const mocked = `suite_name: Mocked
mocks: [{ url: 'https://up.example/*', respond: {} }]
steps:
  - name: An export of spans is not the application's
    request: { url: /export }
    assert: { status_code: 200 }
  - name: Its own call is
    request: { url: /call }
    assert: { status_code: 200 }
`

const app = `import { context } from '@opentelemetry/api'
import { suppressTracing } from '@opentelemetry/core'
const send = () => fetch('http://collector.invalid/v1/traces', { method: 'POST' }).catch(() => undefined)
export default async (request, response) => {
  await (request.url === '/export' ? context.with(suppressTracing(context.active()), send) : send())
  response.end()
}
`

type Span = { name: string; id: string; trace: string; status: number; attributes: object }

test('each step is a span of the tracer that the page registers, its request carries it, and exports meet no mocks', async () => {
  const [config = '', sdk = ''] = listExamples('ts', 'docs/running/tracing.md').map(({ code }) => code)
  await using project = await createProject({
    'traced.suite.yaml': suite,
    'mocked.suite.yaml': mocked,
    'app.js': app,
    'vitest.config.ts': config.replace('suites({', "suites({ app: './app.js',"),
    // Replaces the console exporter of the page with one in memory, written to a file when Vitest ends the worker.
    'otel.js': `import { appendFileSync } from 'node:fs'\n${sdk
      .replaceAll('ConsoleSpanExporter', 'InMemorySpanExporter')
      .replace('const provider', 'const exporter = new InMemorySpanExporter()\nconst provider')
      .replace('new SimpleSpanProcessor(new InMemorySpanExporter())', 'new SimpleSpanProcessor(exporter)')
      .replace('export default provider', '')}
export default { async shutdown() {
  for (const { name, spanContext, status, attributes } of exporter.getFinishedSpans().map((span) => ({ name: span.name, spanContext: span.spanContext(), status: span.status, attributes: span.attributes })))
    appendFileSync('spans.jsonl', JSON.stringify({ name, id: spanContext.spanId, trace: spanContext.traceId, status: status.code, attributes }) + '\\n')
  await provider.shutdown()
} }`,
  })
  const { output } = await project.run()
  expect(output).toContain('2 failed | 2 passed')
  expect((await project.step('mocked', 'Its own call is')).mock_calls).toMatchObject([
    { outcome: 'unhandled' },
  ])
  expect((await project.step('mocked', "An export of spans is not the application's")).status).toBe('success')
  const spans = (await project.read('spans.jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Span)
  const named = (name: string): Span | undefined => spans.find((span) => span.name === name)
  const [passed, failed] = [named('Sends the trace along'), named('Fails with {{parent}}')]
  expect(passed).toMatchObject({
    status: 0,
    attributes: {
      'suitecase.suite': 'traced',
      'suitecase.status': 'success',
      'http.response.status_code': 200,
    },
  })
  expect(failed).toMatchObject({ status: 2, attributes: { 'http.response.status_code': 503 } })
  const [sent, own] = (await project.result('traced')).steps_results
  expect(sent?.captured_variables['parent']).toBe(`00-${passed?.trace}-${passed?.id}-01`)
  expect(own?.request_details?.headers['traceparent']).toBe('own')
})

test('without a tracer requests carry nothing', async () => {
  await using project = await createProject({ 'traced.suite.yaml': suite })
  const { output } = await project.run()
  expect(output).toContain('The capture `parent` has no value')
})
