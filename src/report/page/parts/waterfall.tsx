import { formatMs } from '../../performance/format-ms.ts'
import type { StepEntry, SuiteEntry } from '../state/data.ts'
import { Status } from './parts.tsx'
import { VirtualList } from './virtual-list.tsx'

const rowHeight = 34
const mostInline = 150

/** The steps of a suite in the order they ran, each as a bar from its start to its end. */
export function Waterfall({ suite: { steps, start } }: { suite: SuiteEntry }) {
  const end = Math.max(1, ...steps.map((step) => (offsetOf(step, start) ?? 0) + step.duration_ms))
  const row = (index: number) => <Bar step={steps[index] as StepEntry} start={start} end={end} />
  return (
    <div class="waterfall">
      {steps.length > mostInline ? (
        <VirtualList count={steps.length} rowHeight={rowHeight} active={-1} label="Timeline" render={row} />
      ) : (
        <ol aria-label="Timeline">
          {steps.map((_, index) => (
            <li>{row(index)}</li>
          ))}
        </ol>
      )}
    </div>
  )
}

/** Milliseconds after the start of the suite; undefined for a step that did not start. */
function offsetOf({ status, start }: StepEntry, suiteStart: number): number | undefined {
  const isRun = status === 'success' || status === 'failure'
  return isRun && start !== undefined ? Math.max(0, start - suiteStart) : undefined
}

function Bar({ step, start, end }: { step: StepEntry; start: number; end: number }) {
  const offset = offsetOf(step, start)
  const share = (ms: number): string => `${(ms / end) * 100}%`
  return (
    <a class="wf-row" href={step.hash}>
      <span class="number">{step.place + 1}</span>
      <Status kind={step.outcome} />
      <span class="wf-name">
        <span>{step.name}</span>
        <small>
          {step.method ? `${step.method} ${step.path}` : ''}
          {(step.attempts ?? 1) > 1 && ` · ${step.attempts} attempts`}
        </small>
      </span>
      <span class="wf-lane" title={offset === undefined ? 'did not start' : `after ${formatMs(offset)}`}>
        {offset !== undefined && (
          <span class={step.outcome} style={{ left: share(offset), width: share(step.duration_ms) }} />
        )}
      </span>
      <span class="ms">{offset === undefined ? '–' : formatMs(step.duration_ms)}</span>
    </a>
  )
}
