import { formatMs } from '../../../text/units.ts'
import type { StepResult } from '../../../run/result.ts'
import { Code, JsonView } from '../parts/code.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Happenings } from '../parts/happenings.tsx'
import { Callouts, Fold, Prose, Status } from '../parts/parts.tsx'
import { readStep, readSuite, type StepEntry } from '../state/data.ts'
import { sayFlaky } from '../state/format.ts'
import { sliceYaml } from '../state/slice-yaml.ts'
import { FailedCheck, readRest } from './checks.tsx'
import { Exchange } from './exchange.tsx'
import { answers, others } from './step-parts.tsx'
import { Variables } from './suite-view.tsx'

/** Everything about one step: why it failed, what was sent and what came back, then the rest. */
export function StepView({ step: entry }: { step: StepEntry }) {
  const step = readStep(entry)
  const { assertions_results: rows, connection, iteration } = step
  const rest = readRest(step.error_message ?? '', rows)
  const isFailed = entry.outcome === 'failure'
  const yaml = <StepYaml entry={entry} step={step} open={isFailed} />
  return (
    <article class="view" aria-label={`Step ${entry.name}`}>
      <StepHead entry={entry} step={step} />
      {rest !== '' && <pre class="callout failure">{rest}</pre>}
      <Reason entry={entry} />
      {rows.map((row) => !row.passed && <FailedCheck {...row} />)}
      <Exchange step={step} />
      {answers.map((part) => (
        <Happenings {...part(step)} />
      ))}
      {isFailed && yaml}
      <Callouts label="Warnings" items={step.warnings} />
      {connection && (
        <p class="small">
          {connection.proxy !== undefined && `Sent through the proxy ${connection.proxy}. `}
          {connection.insecure && 'The certificate of the server was not verified (`insecure`). '}
          {connection.http2 && 'Sent over HTTP/2.'}
        </p>
      )}
      {others.map((part) => (
        <Happenings {...part(step)} />
      ))}
      {iteration && (
        <Fold kind="section" title="Iteration" note={entry.iteration}>
          <JsonView value={iteration} label="iteration" />
        </Fold>
      )}
      <Variables title="Captured variables" values={step.captured_variables} />
      <Variables title="Available variables" values={step.available_variables} />
      {!isFailed && yaml}
    </article>
  )
}

function StepHead({ entry, step }: { entry: StepEntry; step: StepResult }) {
  const { suite, line, outcome, name } = entry
  const { request_details: request, response_details: response } = step
  const file = line === undefined ? suite.file_path : `${suite.file_path}:${line}`
  return (
    <header class="head">
      <p class="crumb">
        <a href={suite.hash}>{suite.name}</a>
        <span>{file}</span>
        <span class="tools">
          <CopyButton text={`npx vitest run ${file}`} label="command" />
        </span>
      </p>
      <h2>
        <Status kind={outcome} /> {name}{' '}
        {outcome === 'flaky' && <span class="tag flaky">flaky: {sayFlaky(entry)}</span>}
      </h2>
      <p class="facts">
        {request && (
          <span>
            <b>{request.method}</b> <code>{request.full_url}</code>
          </span>
        )}
        {response && <b class="code-number">{response.status_code}</b>}
        <span>{formatMs(step.duration_ms)}</span>
        {step.start_time && <time dateTime={step.start_time}>{step.start_time.slice(11, 23)}</time>}
        <span class="muted">{step.qualified_step_id}</span>
      </p>
    </header>
  )
}

/** Why a step did not run, with the step that is to blame. */
function Reason({ entry: { outcome, skip_reason: reason, error, suite, place } }: { entry: StepEntry }) {
  if (reason !== undefined) {
    const line = Number(/\(line (\d+)\)/.exec(reason)?.[1])
    const named = suite.steps.slice(0, place).filter((step) => step.line === line)
    const cause = named.find((step) => step.status === 'failure') ?? named[0]
    return (
      <p class="callout">
        Skipped: <Prose text={reason} /> {cause && <a href={cause.hash}>Go to “{cause.name}”</a>}
      </p>
    )
  }
  if (outcome !== 'not_run' || error !== undefined) return null
  if (suite.error === undefined) return <p class="callout">The run ended before this step.</p>
  return (
    <p class="callout">
      <a href={suite.hash}>The suite failed as a whole</a>: <Prose text={suite.error} />
    </p>
  )
}

function StepYaml({ entry, step, open }: { entry: StepEntry; step: StepResult; open: boolean }) {
  const { line, failed_lines: marked = [] } = step
  const part = line === undefined ? undefined : sliceYaml(readSuite(entry.suite).suite_yaml_content, line)
  if (!part) return null
  return (
    <Fold kind="section" title="Suite file" note={`from line ${part.line}`} open={open}>
      <Code text={part.text} label="step" language="yaml" firstLine={part.line} marked={marked} />
    </Fold>
  )
}
