import type { Attributes, Span } from '@opentelemetry/api'

/** Where OpenTelemetry's API keeps its registry; it exists once the project has loaded the API. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1')

let api: typeof import('@opentelemetry/api') | undefined

/** Runs a function, in a span if the project has loaded OpenTelemetry's API in this thread. */
export async function trace<Value>(
  name: string,
  attributes: Attributes,
  run: (span?: Span) => Promise<Value>,
): Promise<Value> {
  if (!(REGISTRY in globalThis)) return run()
  api ??= await import('@opentelemetry/api')
  return api.trace.getTracer('suitecase').startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await run(span)
    } finally {
      span.end()
    }
  })
}

/** Marks a span as failed. Sets no message: values from responses must not leave the process. */
export function markFailed(span: Span | undefined): void {
  if (api) span?.setStatus({ code: api.SpanStatusCode.ERROR })
}

/** Headers with which a server can continue the trace. None if there is no active trace. */
export function traceHeaders(): readonly [name: string, value: string][] {
  const headers: Record<string, string> = {}
  api?.propagation.inject(api.context.active(), headers)
  return Object.entries(headers)
}

/** True for a request in which an exporter sends spans, metrics or logs, which are not traced themselves. */
export function isExport({ pathname }: URL): boolean {
  const suppressed = Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING')
  const isUntraced = api?.context.active().getValue(suppressed) === true
  return isUntraced && /\/v1\/(?:traces|metrics|logs)$/.test(pathname)
}
