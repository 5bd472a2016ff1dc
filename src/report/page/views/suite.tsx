import { readProblems } from '../../../errors.ts'
import { formatMs } from '../../../text/units.ts'
import { kinds, readSuite, type Kind, type SuiteEntry } from '../state/data.ts'
import { countKind, countOf } from '../state/text.ts'
import { Bar, Callouts, Code, Fold, Recorded, Status, Table } from './parts.tsx'

/** Everything about one suite: header, timeline, variables, text. */
export function SuiteView({ suite }: { suite: SuiteEntry }) {
  const details = readSuite(suite)
  const { error_message: error } = details
  const marked = [
    ...suite.steps.flatMap(({ failed_line }) => failed_line ?? []),
    ...readProblems(error ?? '').map(({ line }) => line),
  ]
  const outcomes = Map.groupBy(suite.steps, ({ outcome }): Kind => outcome)
  const facts = [
    suite.file_path,
    suite.priority,
    ...suite.tags,
    countOf(suite.steps.length, 'step'),
    ...kinds.map((kind) => outcomes.has(kind) && countKind(outcomes.get(kind)?.length ?? 0, kind)),
    formatMs(suite.duration_ms),
    suite.start > 0 && details.start_time.slice(0, 19).replace('T', ' '),
    details.seed !== undefined && `seed ${details.seed}`,
  ]
  return (
    <article class="view" aria-label={`Suite ${suite.name}`}>
      <header>
        <h2>
          <Status kind={suite.outcome} /> {suite.name}
        </h2>
        <p class="facts">{facts.map((fact) => fact && <span>{fact}</span>)}</p>
      </header>
      {error !== undefined && <pre class="callout failure">{error}</pre>}
      <Callouts label="Warnings" items={details.warnings} />
      {suite.steps.length > 0 && <Timeline suite={suite} />}
      <Recorded title="Captured variables" value={details.variables_captured} />
      <Recorded title="Available variables" value={details.available_variables} />
      <Fold title="Suite file" open={error !== undefined}>
        <Code
          text={details.suite_yaml_content.replace(/\n$/, '')}
          label="suite"
          isData
          firstLine={1}
          marked={marked}
        />
      </Fold>
    </article>
  )
}

/** The steps of a suite in the order they ran, each as a bar from its start to its end. */
function Timeline({ suite }: { suite: SuiteEntry }) {
  const steps = suite.steps.map((step) => {
    const { status, start } = step
    const isRun = (status === 'success' || status === 'failure') && start !== undefined
    return { step, offset: isRun ? Math.max(0, start - suite.start) : undefined }
  })
  const end = Math.max(1, ...steps.map(({ step, offset = 0 }) => offset + step.duration_ms))
  return (
    <Table
      label="Timeline"
      head={['#', 'Step', 'Time', '#Duration']}
      items={steps}
      cells={({ step: { place, outcome, hash, name, method, path, attempts = 1, duration_ms }, offset }) => [
        place + 1,
        <a href={hash}>
          <Status kind={outcome} /> {name}{' '}
          <small>
            {method && `${method} ${path}`}
            {attempts > 1 && ` · ${attempts} attempts`}
          </small>
        </a>,
        offset !== undefined && <Bar from={offset / end} size={duration_ms / end} kind={outcome} />,
        offset === undefined ? '–' : formatMs(duration_ms),
      ]}
    />
  )
}
