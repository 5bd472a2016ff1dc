import { readProblems, type ResultWarning } from '../../../errors.ts'
import { formatMs } from '../../performance/format-ms.ts'
import { readSuite, type Kind, type SuiteEntry, type StepEntry } from '../state/data.ts'
import { countKind, countOf, kindNames } from '../state/format.ts'
import { SourceView } from '../parts/code.tsx'
import { Fold, Pairs, Prose, Status } from '../parts/parts.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'

/** Everything about one suite: header, timeline, variables, text. */
export function SuiteView({ suite }: { suite: SuiteEntry }) {
  const details = readSuite(suite)
  const { error_message: error, variables_captured: captured, available_variables: available } = details
  const marked = [
    ...suite.steps.flatMap(({ failed_line }) => failed_line ?? []),
    ...readProblems(error ?? '').map(({ line }) => line),
  ]
  const facts = [
    ...suite.tags,
    countOf(suite.steps.length, 'step'),
    ...countKinds(suite),
    formatMs(suite.duration_ms),
    suite.start > 0 ? details.start_time.slice(0, 19).replace('T', ' ') : '',
    details.seed === undefined ? '' : `seed ${details.seed}`,
  ]
  return (
    <article class="view" aria-label={`Suite ${suite.suite_name}`}>
      <header class="head">
        <p class="crumb">{suite.file_path}</p>
        <h2>
          <Status kind={suite.outcome} /> {suite.suite_name}
        </h2>
        <p class="facts">
          <span class={`tag ${suite.priority}`}>{suite.priority}</span>
          {facts.map(
            (fact, index) =>
              fact !== '' && <span class={index < suite.tags.length ? 'tag' : ''}>{fact}</span>,
          )}
        </p>
      </header>
      {error !== undefined && <pre class="callout failure">{error}</pre>}
      <Warnings warnings={details.warnings} />
      {suite.steps.length > 0 && <Waterfall suite={suite} />}
      <Variables title="Captured variables" values={captured} />
      <Variables title="Available variables" values={available} />
      <Fold kind="section" title="Suite file" open={error !== undefined}>
        <SourceView text={details.suite_yaml_content.replace(/\n$/, '')} label="suite" marked={marked} />
      </Fold>
    </article>
  )
}

function countKinds({ steps }: SuiteEntry): string[] {
  const counts = Map.groupBy(steps, ({ outcome }) => outcome)
  return (Object.keys(kindNames) as Exclude<Kind, 'warning'>[])
    .filter((kind) => counts.has(kind))
    .map((kind) => countKind(counts.get(kind)?.length ?? 0, kind))
}

/** Variables, folded; nothing when there are none. */
export function Variables({ title, values }: { title: string; values: object }) {
  const count = Object.keys(values).length
  if (count === 0) return null
  return (
    <Fold kind="section" title={title} note={countOf(count, 'variable')}>
      <Pairs pairs={values} />
    </Fold>
  )
}

/** What the author should know although it failed nothing. */
export function Warnings({ warnings = [] }: { warnings?: readonly ResultWarning[] | undefined }) {
  if (warnings.length === 0) return null
  return (
    <ul class="callouts" aria-label="Warnings">
      {warnings.map(({ message, line }) => (
        <li class="callout warning">
          <Prose text={message} />
          {line !== undefined && <span class="muted"> line {line}</span>}
        </li>
      ))}
    </ul>
  )
}

const rowHeight = 34
const mostInline = 150

/** The steps of a suite in the order they ran, each as a bar from its start to its end. */
function Waterfall({ suite: { steps, start } }: { suite: SuiteEntry }) {
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
