import { readProblems } from '../../../errors.ts'
import { formatMs } from '../../../text/units.ts'
import { Code } from '../parts/code.tsx'
import { Callouts, Fold, Pairs, Status, useFirst } from '../parts/parts.tsx'
import { readSuite, type Kind, type SuiteEntry, type StepEntry } from '../state/data.ts'
import { countKind, countOf } from '../state/format.ts'
import { kinds } from '../state/kinds.ts'

/** Everything about one suite: header, timeline, variables, text. */
export function SuiteView({ suite }: { suite: SuiteEntry }) {
  const details = readSuite(suite)
  const { error_message: error, variables_captured: captured, available_variables: available } = details
  const marked = [
    ...suite.steps.flatMap(({ failed_line }) => failed_line ?? []),
    ...readProblems(error ?? '').map(({ line }) => line),
  ]
  const outcomes = Map.groupBy(suite.steps, ({ outcome }): Kind => outcome)
  const facts = [
    countOf(suite.steps.length, 'step'),
    ...kinds.map((kind) => outcomes.has(kind) && countKind(outcomes.get(kind)?.length ?? 0, kind)),
    formatMs(suite.duration_ms),
    suite.start > 0 && details.start_time.slice(0, 19).replace('T', ' '),
    details.seed !== undefined && `seed ${details.seed}`,
  ]
  return (
    <article class="view" aria-label={`Suite ${suite.name}`}>
      <header class="head">
        <p class="crumb">{suite.file_path}</p>
        <h2>
          <Status kind={suite.outcome} /> {suite.name}
        </h2>
        <p class="facts">
          {[suite.priority, ...suite.tags].map((tag) => (
            <span class="tag">{tag}</span>
          ))}
          {facts.map((fact) => fact && <span>{fact}</span>)}
        </p>
      </header>
      {error !== undefined && <pre class="callout failure">{error}</pre>}
      <Callouts label="Warnings" items={details.warnings} />
      {suite.steps.length > 0 && <Waterfall suite={suite} />}
      <Variables title="Captured variables" values={captured} />
      <Variables title="Available variables" values={available} />
      <Fold kind="section" title="Suite file" open={error !== undefined}>
        <Code
          text={details.suite_yaml_content.replace(/\n$/, '')}
          label="suite"
          language="yaml"
          firstLine={1}
          marked={marked}
        />
      </Fold>
    </article>
  )
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

/** The steps of a suite in the order they ran, each as a bar from its start to its end. */
function Waterfall({ suite: { steps, start } }: { suite: SuiteEntry }) {
  const [shown, rest] = useFirst(steps, 500)
  const end = Math.max(1, ...steps.map((step) => (offsetOf(step, start) ?? 0) + step.duration_ms))
  return (
    <>
      <ol class="waterfall" aria-label="Timeline">
        {shown.map((step) => (
          <li>
            <Bar step={step} start={start} end={end} />
          </li>
        ))}
      </ol>
      {rest}
    </>
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
      <small>{step.place + 1}</small>
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
          <span
            class={`bar ${step.outcome}`}
            style={{ left: share(offset), width: share(step.duration_ms) }}
          />
        )}
      </span>
      <small>{offset === undefined ? '–' : formatMs(step.duration_ms)}</small>
    </a>
  )
}
