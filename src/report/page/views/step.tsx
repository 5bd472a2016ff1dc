import type { StepResult } from '../../../run/result.ts'
import { formatMs } from '../../../text/units.ts'
import { rerunCommand } from '../../rerun-command.ts'
import { readStep, readSuite, type StepEntry } from '../state/data.ts'
import { sayFlaky } from '../state/text.ts'
import { FailedCheck, readRest } from './checks.tsx'
import { Code, CopyButton, Recorded } from './code.tsx'
import { Exchange } from './exchange.tsx'
import { Callouts, Fold, Prose, Status } from './parts.tsx'
import { Parts } from './step-parts.tsx'

/** Everything about one step: why it failed, what was sent and what came back, then the rest. */
export function StepView({ step: entry }: { step: StepEntry }) {
  const step = readStep(entry)
  const { assertions_results: rows, error_message = '', warnings } = step
  const rest = readRest(error_message, rows)
  const isFailed = entry.outcome === 'failure'
  const yaml = <StepYaml entry={entry} step={step} open={isFailed} />
  const records = {
    Connection: step.connection,
    'Timing in ms': step.timings,
    Redirects: step.redirects,
    'Requests for credentials': step.auth_requests,
    Scenarios: step.scenarios_meta?.evaluations,
    Iteration: step.iteration,
    'Captured variables': step.captured_variables,
    'Available variables': step.available_variables,
  }
  return (
    <article class="view" aria-label={`Step ${entry.name}`}>
      <StepHead entry={entry} step={step} />
      {rest !== '' && <pre class="callout failure">{rest}</pre>}
      <Reason entry={entry} />
      {rows.map((row) => !row.passed && <FailedCheck {...row} />)}
      <Exchange step={step} />
      {isFailed && yaml}
      <Callouts label="Warnings" items={warnings} />
      <Parts step={step} />
      {Object.entries(records).map(([title, value]) => (
        <Recorded title={title} value={value} />
      ))}
      {!isFailed && yaml}
    </article>
  )
}

function StepHead({ entry, step }: { entry: StepEntry; step: StepResult }) {
  const { suite, line, outcome, name } = entry
  const { request_details: request, response_details: response, start_time: start } = step
  return (
    <header>
      <p class="facts">
        <a href={suite.hash}>{suite.name}</a>
        <span>{[suite.file_path, line].filter(Boolean).join(':')}</span>
        <CopyButton text={rerunCommand(suite.file_path, line)} label="command" />
      </p>
      <h2>
        <Status kind={outcome} /> {name} {outcome === 'flaky' && <small>flaky: {sayFlaky(entry)}</small>}
      </h2>
      <p class="facts">
        {request && <code>{`${request.method} ${request.full_url}`}</code>}
        {response && <b>{response.status_code}</b>}
        <span>{formatMs(step.duration_ms)}</span>
        {start && <time dateTime={start}>{start.slice(11, 23)}</time>}
        <span class="muted">{step.qualified_step_id}</span>
      </p>
    </header>
  )
}

/** Why a step did not run, with the step that is to blame. */
function Reason({ entry: { outcome, skip_reason: reason, error, suite, place } }: { entry: StepEntry }) {
  if (reason === undefined && (outcome !== 'not_run' || error !== undefined)) return null
  const line = Number(/\(line (\d+)\)/.exec(reason ?? '')?.[1])
  const named = suite.steps.slice(0, place).filter((step) => step.line === line)
  const cause = named.find((step) => step.status === 'failure') ?? named[0]
  return (
    <p class="callout">
      <Prose text={reason ? `Skipped: ${reason}` : (suite.error ?? 'The run ended before this step.')} />{' '}
      {cause && <a href={cause.hash}>Go to “{cause.name}”</a>}
    </p>
  )
}

/** The text of a step: an item of a list in its file, up to the next line that is less indented than what follows the dash. */
function StepYaml({ entry, step, open }: { entry: StepEntry; step: StepResult; open: boolean }) {
  const { line = 0, failed_lines: marked = [] } = step
  const [first = '', ...more] = readSuite(entry.suite)
    .suite_yaml_content.split('\n')
    .slice(line - 1)
  // Suites of code and in flow style have no lines of their own for a step.
  if (line === 0 || !/^\s*-\s/.test(first)) return null
  const end = more.findIndex((one) => one.trim() !== '' && one.search(/\S/) < first.search(/[^\s-]/))
  const lines = [first, ...more.slice(0, end === -1 ? undefined : end)]
  const text = lines.map((one) => one.slice(first.search(/\S/))).join('\n')
  return (
    <Fold title="Suite file" note={`from line ${line}`} open={open}>
      <Code text={text.trimEnd()} label="step" isData firstLine={line} marked={marked} />
    </Fold>
  )
}
