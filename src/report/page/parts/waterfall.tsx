import { formatMs } from '../../performance/format-ms.ts'
import type { Data, StepEntry } from '../state/data.ts'
import { StatusIcon } from './icons.tsx'
import { toHash } from '../state/route.ts'
import { VirtualList } from './virtual-list.tsx'

const rowHeight = 34
const mostInline = 150

type Props = { steps: readonly StepEntry[]; data: Data }

/** The steps of a suite in the order they ran, each as a bar from its start to its end. */
export function Waterfall({ steps, data }: Props) {
  const end = Math.max(1, ...steps.map(({ offset, duration }) => (offset < 0 ? 0 : offset + duration)))
  const row = (index: number) => (
    <Bar step={steps[index] as StepEntry} number={index + 1} end={end} data={data} />
  )
  return (
    <div class="waterfall">
      <div class="wf-row wf-head" aria-hidden="true">
        <span class="wf-scale">
          {[0, 0.25, 0.5, 0.75, 1].map((share) => (
            <span>{formatMs(end * share)}</span>
          ))}
        </span>
        <span class="ms">duration</span>
        <span class="ms start">start</span>
      </div>
      {steps.length > mostInline ? (
        <VirtualList
          count={steps.length}
          rowHeight={rowHeight}
          active={-1}
          label="Execution timeline"
          render={row}
          class="tall"
        />
      ) : (
        <ol aria-label="Execution timeline">
          {steps.map((step, index) => (
            <li key={`${step.id} ${index}`}>{row(index)}</li>
          ))}
        </ol>
      )}
    </div>
  )
}

function Bar({ step, number, end, data }: { step: StepEntry; number: number; end: number; data: Data }) {
  const started = step.offset >= 0
  return (
    <a class="wf-row" href={toHash({ view: 'step', suite: step.suite, place: step.place }, data)}>
      <span class="number">{number}</span>
      <StatusIcon status={step.status} />
      <span class="wf-name">
        <span>{step.name}</span>
        <small>
          {step.method ? `${step.method} ${step.path}` : 'no request'}
          {step.attempts > 1 && ` · ${step.attempts} attempts`}
        </small>
      </span>
      <span class="type">request</span>
      <span class="wf-lane">
        {started && (
          <span
            class={`wf-bar ${step.status}`}
            style={{
              left: `${(step.offset / end) * 100}%`,
              width: `${Math.max(0.4, (step.duration / end) * 100)}%`,
            }}
          />
        )}
      </span>
      <span class="ms" title={started ? `started after ${formatMs(step.offset)}` : 'did not start'}>
        {started ? formatMs(step.duration) : '–'}
      </span>
      <span class="ms start">{started ? `+${formatMs(step.offset)}` : ''}</span>
    </a>
  )
}
