import { readProblems } from '../../../errors.ts'
import type { StepResult } from '../../../run/result.ts'
import { cut } from '../../../text/show-value.ts'
import { countOf, formatMs } from '../../../text/units.ts'
import { countKind, kinds, readStepDetails, readSuiteDetails, type SuiteEntry } from '../state/data.ts'
import { Bar, Callouts, Facts, Fold, Status, Table, View } from './parts.tsx'
import { Code, Recorded } from './values.tsx'

export function SuiteView({ suite }: { suite: SuiteEntry }) {
  const { name, steps, outcome } = suite
  const details = readSuiteDetails(suite)
  const { error_message: error, suite_yaml_content: yaml, seed } = details
  // Other problems are in files that the suite reads.
  const own = readProblems(error ?? '').filter(({ file }) => file === suite.file_path)
  const marked = [...steps.flatMap(({ failed_line }) => failed_line ?? []), ...own.map(({ line }) => line)]
  const iterated = new Set(steps.flatMap((step) => (step.iteration ? step.qualified_step_id : [])))
  const facts = [
    suite.file_path,
    suite.priority,
    ...suite.tags,
    countOf(steps.length, 'step'),
    ...kinds
      .map((kind) => countKind(steps.filter((step) => step.outcome === kind).length, kind))
      .filter((count) => !count.startsWith('0 ')),
    outcome !== 'skipped' && `${suite.success_rate} % success`,
    countOf(steps.filter(({ request_ms }) => request_ms !== undefined).length, 'request'),
    iterated.size > 0 && `${countOf(iterated.size, 'step')} with iterations`,
    formatMs(suite.duration_ms),
    `${details.start_time.slice(0, 19).replace('T', ' ')} UTC`,
    seed !== undefined && `seed ${seed}`,
  ]
  return (
    <View label={`Suite ${name}`} kind={outcome} title={name}>
      <Facts label="The suite" facts={facts} />
      {error !== undefined && <pre class="callout failure">{error}</pre>}
      <Callouts kind="warning" items={details.warnings} />
      {steps.length > 0 && <Timeline suite={suite} />}
      <Recorded title="Captured variables" value={details.variables_captured} />
      <Recorded title="Available variables" value={details.available_variables} />
      <Fold title="Suite file" open={error !== undefined}>
        <Code text={yaml} label="suite" isData firstLine={1} marked={marked} />
      </Fold>
    </View>
  )
}

function Timeline({ suite: { steps, start: first } }: { suite: SuiteEntry }) {
  const end = Math.max(first + 1, ...steps.map(({ start = 0, duration_ms }) => start + duration_ms))
  return (
    <Table
      label="Timeline"
      head={['#', 'Step', '~Type', '~Start', 'Time', '#Duration']}
      rows={steps.map((step) => {
        const { place, outcome, hash, name, method, path, attempts, start, duration_ms } = step
        const share = (ms: number): number => Math.max(0, ms) / (end - first)
        return [
          place + 1,
          <a href={hash}>
            <Status kind={outcome} />
            &nbsp;<bdi>{name}</bdi>{' '}
            <code class="muted">
              {method && cut(`${method} ${path}`, 120)} {attempts && ` · ${attempts} attempts`}
            </code>
          </a>,
          nameType(readStepDetails(step)),
          start && new Date(start).toISOString().slice(11, 23),
          start && <Bar from={share(start - first)} size={share(duration_ms)} kind={outcome} />,
          start ? formatMs(duration_ms) : '–',
        ]
      })}
    />
  )
}

/** What kind of request a step sent; undefined if none. */
function nameType({ burst, request_details: request, response_details: response }: StepResult) {
  if (burst) return 'burst'
  if (response?.events) return 'stream'
  return request?.full_url.startsWith('ws') ? 'websocket' : request && 'request'
}
