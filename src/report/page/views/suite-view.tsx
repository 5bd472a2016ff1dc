import { readProblems } from '../../../errors.ts'
import { formatMs } from '../../performance/format-ms.ts'
import { readSuite, type Data, type StepEntry } from '../state/data.ts'
import { countOf } from '../state/format.ts'
import { StatusIcon } from '../parts/icons.tsx'
import { SourceView } from '../parts/json-view.tsx'
import { Pairs, Section, Tile } from '../parts/parts.tsx'
import { Prose } from '../parts/prose.tsx'
import { Waterfall } from '../parts/waterfall.tsx'

/** Everything about one suite: header, counters, timeline, variables, text. */
export function SuiteView({ data, suite: number }: { data: Data; suite: number }) {
  const entry = data.suites[number] as Data['suites'][number]
  const steps = data.steps[number] as StepEntry[]
  const details = readSuite(number)
  const marked = listMarked(details.error_message, steps)
  return (
    <article class="view" aria-label={`Suite ${entry.suite_name}`}>
      <header class="head">
        <p class="crumb">{entry.file_path}</p>
        <h2>
          <StatusIcon status={entry.status} /> {entry.suite_name}
        </h2>
        <p class="facts">
          <span class={`tag priority ${entry.priority}`}>{entry.priority}</span>
          {entry.tags.map((tag) => (
            <span class="tag">{tag}</span>
          ))}
          <span>{countOf(steps.length, 'step')}</span>
          <span>{formatMs(entry.duration_ms)}</span>
          <span>{entry.success_rate} % successful</span>
          {entry.start > 0 && <time dateTime={details.start_time}>{details.start_time}</time>}
          {details.seed !== undefined && <span>seed {details.seed}</span>}
        </p>
      </header>
      {details.error_message !== undefined && <pre class="problem">{details.error_message}</pre>}
      <Warnings warnings={details.warnings} />
      <Counters steps={steps} />
      <section>
        <h3>Execution timeline</h3>
        <Waterfall steps={steps} data={data} />
      </section>
      <Section
        title="Captured variables"
        note={countOf(Object.keys(details.variables_captured).length, 'variable')}
        open={Object.keys(details.variables_captured).length > 0}
      >
        <Pairs pairs={Object.entries(details.variables_captured)} empty="Nothing was captured." />
      </Section>
      <Section
        title="Available variables"
        note={countOf(Object.keys(details.available_variables).length, 'variable')}
        open={false}
      >
        <Pairs pairs={Object.entries(details.available_variables)} empty="No variables." />
      </Section>
      <Section title="Suite file" open={details.error_message !== undefined}>
        <SourceView text={details.suite_yaml_content.replace(/\n$/, '')} label="suite" marked={marked} />
      </Section>
    </article>
  )
}

/** Lines that failures point at, and those that a load error names. */
function listMarked(error: string | undefined, steps: readonly StepEntry[]): number[] {
  const failed = steps.flatMap(({ line }) => line ?? [])
  return [...failed, ...readProblems(error ?? '').map(({ line }) => line)]
}

/** What the author should know although it failed nothing. */
export function Warnings({
  warnings = [],
}: {
  warnings?: readonly { message: string; line?: number }[] | undefined
}) {
  if (warnings.length === 0) return null
  return (
    <ul class="advice" aria-label="Warnings">
      {warnings.map(({ message, line }) => (
        <li class="warn">
          <Prose text={message} />
          {line !== undefined && <span class="muted"> line {line}</span>}
        </li>
      ))}
    </ul>
  )
}

function Counters({ steps }: { steps: readonly StepEntry[] }) {
  const count = (matches: (step: StepEntry) => boolean): string =>
    steps.filter(matches).length.toLocaleString('en')
  const failed = count(({ status }) => status === 'failure')
  return (
    <dl class="tiles small" aria-label="Counters">
      <Tile name="Successful" value={count(({ status }) => status === 'success')} />
      <Tile name="Failed" value={failed} tone={failed === '0' ? '' : 'bad'} />
      <Tile name="Skipped" value={count(({ status }) => status === 'skipped')} />
      <Tile name="Not run" value={count(({ status }) => status === 'not_run')} />
      <Tile name="HTTP requests" value={count(({ request }) => request >= 0)} />
      <Tile name="With iterations" value={count(({ iterated }) => iterated)} />
    </dl>
  )
}
