import type { Reporter, TestCase, Vitest } from 'vitest/node'
import { escapeControl } from '../src/escape-control.ts'
import type { StepResult } from '../src/run/result.ts'

/**
 * Gives the JUnit reporter properties of each step: method, path, status code and request time. It writes a test's
 * annotations as properties, so they are added right before it writes, when the other reporters have printed theirs.
 */
export function addJunitProperties(vitest: Vitest): void {
  const reporters = vitest.config.reporters as unknown[]
  const index = reporters.findIndex(
    (each) => (Array.isArray(each) ? (each as unknown[])[0] : each) === 'junit',
  )
  if (index === -1) return
  const reporter: Reporter = {
    onTestRunEnd(modules) {
      for (const module of modules) for (const test of module.children.allTests()) annotate(test)
    },
  }
  reporters.splice(index, 0, reporter)
}

function annotate(test: TestCase): void {
  const meta = test.meta().suitecase
  if (meta?.kind !== 'step') return
  const { annotations } = (test as unknown as { task: { annotations: { type: string; message: string }[] } })
    .task
  for (const result of meta.results)
    for (const [type, value] of Object.entries(listProperties(result)))
      if (value !== undefined) annotations.push({ type, message: escapeControl(String(value)) })
}

function listProperties({
  request_details: request,
  response_details: response,
  timings,
}: StepResult): Record<string, string | number | undefined> {
  return {
    method: request?.method,
    path: request && readPath(request.full_url),
    status: response?.status_code,
    duration_ms: timings && Math.round(timings.total * 100) / 100,
  }
}

function readPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url
}
