import { formatMs } from '../../performance/format-ms.ts'
import type { StepResult } from '../../../run/result.ts'
import { readStep, readSuite, type StepEntry } from '../state/data.ts'
import { JsonView, SourceView } from '../parts/code.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Fold, Prose, Status } from '../parts/parts.tsx'
import { describeFailure, sayFlaky } from '../state/format.ts'
import { sliceYaml } from '../state/slice-yaml.ts'
import { FailedChecks, PassedChecks, readRest } from './checks.tsx'
import { Exchange } from './exchange.tsx'
import {
  Attempts,
  AuthRequests,
  Burst,
  Events,
  Messages,
  MockCalls,
  Redirects,
  Scenarios,
  Timing,
} from './step-parts.tsx'
import { Variables, Warnings } from './suite-view.tsx'

type Props = { step: StepEntry; go: (hash: string) => void }

/** Everything about one step: why it failed, what was sent and what came back, then the rest. */
export function StepView({ step: entry, go }: Props) {
  const step = readStep(entry)
  const rows = step.assertions_results
  const rest = readRest(step.error_message ?? '', rows)
  const { request_details: request, response_details: response, connection } = step
  return (
    <article class="view" aria-label={`Step ${entry.name}`}>
      <StepHead entry={entry} step={step} go={go} />
      {rest !== '' && <pre class="callout failure">{rest}</pre>}
      <Reason entry={entry} />
      <FailedChecks rows={rows} />
      <Exchange request={request} response={response} />
      {response && <Events response={response} />}
      {response && <Messages response={response} />}
      <Burst burst={step.burst} />
      <Attempts attempts={step.attempts} />
      {entry.outcome === 'failure' && <StepYaml entry={entry} step={step} open />}
      <Warnings warnings={step.warnings} />
      <PassedChecks rows={rows} />
      <MockCalls calls={step.mock_calls} />
      <Timing timings={step.timings} />
      {connection && (
        <p class="small">
          {connection.proxy !== undefined && `Sent through the proxy ${connection.proxy}. `}
          {connection.insecure && 'The certificate of the server was not verified (`insecure`).'}
        </p>
      )}
      <Redirects redirects={step.redirects} />
      <AuthRequests requests={step.auth_requests} />
      <Scenarios meta={step.scenarios_meta} />
      {step.iteration && (
        <Fold kind="section" title="Iteration" note={entry.iteration}>
          <JsonView value={step.iteration} label="iteration" />
        </Fold>
      )}
      <Variables title="Captured variables" values={step.captured_variables} />
      <Variables title="Available variables" values={step.available_variables} />
      {entry.outcome !== 'failure' && <StepYaml entry={entry} step={step} open={false} />}
    </article>
  )
}

function StepHead({ entry, step, go }: Pick<Props, 'go'> & { entry: StepEntry; step: StepResult }) {
  const { suite, place, line, outcome } = entry
  const { request_details: request, response_details: response } = step
  const file = line === undefined ? suite.file_path : `${suite.file_path}:${line}`
  const neighbour = (by: number): StepEntry | undefined => suite.steps[place + by]
  return (
    <header class="head">
      <p class="crumb">
        <a href={suite.hash}>{suite.suite_name}</a>
        <span>{file}</span>
        <span class="tools">
          {outcome === 'failure' && (
            <CopyButton text={describeFailure({ file, name: entry.name, step })} label="for an issue" />
          )}
          <CopyButton text={`npx vitest run ${file}`} label="command" />
          {(
            [
              [-1, 'Previous step', '←'],
              [1, 'Next step', '→'],
            ] as const
          ).map(([by, label, sign]) => (
            <button
              type="button"
              aria-label={label}
              disabled={neighbour(by) === undefined}
              onClick={() => go(neighbour(by)?.hash ?? entry.hash)}
            >
              {sign}
            </button>
          ))}
        </span>
      </p>
      <h2>
        <Status kind={outcome} /> {entry.name}
        {outcome === 'flaky' && <span class="tag flaky">flaky: {sayFlaky(entry)}</span>}
      </h2>
      <p class="facts">
        {request && (
          <span class="request-line">
            <b class="method">{request.method}</b> <span class="path">{request.full_url}</span>
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
  return (
    <p class="callout">
      {suite.error === undefined ? (
        'The run ended before this step.'
      ) : (
        <>
          <a href={suite.hash}>The suite failed as a whole</a>: <Prose text={suite.error} />
        </>
      )}
    </p>
  )
}

function StepYaml({ entry, step, open }: { entry: StepEntry; step: StepResult; open: boolean }) {
  const { line, failed_lines: marked = [] } = step
  const part = line === undefined ? undefined : sliceYaml(readSuite(entry.suite).suite_yaml_content, line)
  if (!part) return null
  return (
    <Fold kind="section" title="Suite file" note={`from line ${part.line}`} open={open}>
      <SourceView text={part.text} label="step" firstLine={part.line} marked={marked} />
    </Fold>
  )
}
