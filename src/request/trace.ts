import type { Attributes, Span } from '@opentelemetry/api'

/** Where OpenTelemetry's API keeps what is registered; it is there once something of the project has loaded it. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1')

const none: readonly [string, string][] = []

let api: typeof import('@opentelemetry/api') | undefined

/** Runs something in a span of its own, if a tracer is registered in this thread; else nothing is loaded. */
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

/** The headers by which a server continues the trace; none without one. */
export function traceHeaders(): readonly [name: string, value: string][] {
  if (api === undefined) return none
  const headers: Record<string, string> = {}
  api.propagation.inject(api.context.active(), headers)
  return Object.entries(headers)
}
