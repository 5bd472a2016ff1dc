import { formatMs } from '../../performance/format-ms.ts'
import type { StepResult } from '../../../run/result.ts'
import { Assertions } from './assertions.tsx'
import { readStep, readSuite, type Data } from '../state/data.ts'
import { countOf } from '../state/format.ts'
import { StatusIcon } from '../parts/icons.tsx'
import { JsonView, SourceView } from '../parts/json-view.tsx'
import { Pairs, Section } from '../parts/parts.tsx'
import { RequestPart, ResponsePart } from './exchange.tsx'
import { Prose } from '../parts/prose.tsx'
import { toHash } from '../state/route.ts'
import { sliceYaml } from '../state/slice-yaml.ts'
import {
  Attempts,
  AuthRequests,
  Connection,
  MockCalls,
  Redirects,
  Scenarios,
  TimingBar,
} from './step-parts.tsx'
import { Warnings } from './suite-view.tsx'

type Props = { data: Data; suite: number; place: number; onMove: (by: number) => void }

/** Everything about one step: what was sent, what came back, how it was judged. */
export function StepView({ data, suite, place, onMove }: Props) {
  const step = readStep(suite, place)
  const { request_details: request, response_details: response } = step
  // Who looks at a failure wants to see what was asked for.
  const failed = step.status === 'failure'
  const suiteError = data.suites[suite]?.error
  const captured = Object.entries(step.captured_variables)
  const available = Object.entries(step.available_variables)
  return (
    <article class="view" aria-label={`Step ${step.step_name}`}>
      <StepHead data={data} suite={suite} place={place} step={step} onMove={onMove} />
      {step.error_message !== undefined && <pre class="problem">{step.error_message}</pre>}
      {step.skip_reason !== undefined && (
        <p class="reason">
          Skipped: <Prose text={step.skip_reason} />
        </p>
      )}
      {step.status === 'not_run' && step.error_message === undefined && (
        <p class="reason">
          {suiteError === undefined ? (
            'The run ended before this step.'
          ) : (
            <>
              The suite failed as a whole: <Prose text={suiteError} />
            </>
          )}
        </p>
      )}
      <Warnings warnings={step.warnings} />
      {step.iteration && (
        <Section title="Iteration">
          <JsonView value={step.iteration} label="iteration" />
        </Section>
      )}
      <Assertions rows={step.assertions_results} />
      {failed && <StepYaml suite={suite} step={step} open />}
      {request && <RequestPart request={request} />}
      {response && <ResponsePart response={response} />}
      {step.timings && <TimingBar timings={step.timings} />}
      <Attempts attempts={step.attempts} />
      <Connection note={step.connection} />
      <Redirects redirects={step.redirects} />
      <AuthRequests requests={step.auth_requests} />
      <Scenarios meta={step.scenarios_meta} />
      <MockCalls calls={step.mock_calls} />
      <Section
        title="Captured variables"
        note={countOf(captured.length, 'variable')}
        open={captured.length > 0}
      >
        <Pairs pairs={captured} empty="Nothing was captured." />
      </Section>
      <Section title="Available variables" note={countOf(available.length, 'variable')} open={false}>
        <Pairs pairs={available} empty="No variables." />
      </Section>
      {!failed && <StepYaml suite={suite} step={step} open={false} />}
    </article>
  )
}

function StepHead({ data, suite, place, step, onMove }: Props & { step: StepResult }) {
  const entry = data.suites[suite] as Data['suites'][number]
  const { request_details: request, response_details: response } = step
  const started = step.start_time === undefined ? undefined : step.start_time.slice(11, 23)
  return (
    <header class="head">
      <p class="crumb">
        <a href={toHash({ view: 'suite', suite }, data)}>{entry.suite_name}</a>
        <span>
          {entry.file_path}
          {step.line !== undefined && `:${step.line}`}
        </span>
        <span class="moves">
          <button type="button" onClick={() => onMove(-1)} aria-label="Previous step" disabled={place === 0}>
            ←
          </button>
          <button
            type="button"
            onClick={() => onMove(1)}
            aria-label="Next step"
            disabled={place === entry.steps.length - 1}
          >
            →
          </button>
        </span>
      </p>
      <h2>
        <StatusIcon status={step.status} /> {step.step_name || '(no name)'}
      </h2>
      <p class="facts">
        {request && (
          <span class="request-line">
            <b class="method">{request.method}</b> <span class="path">{request.full_url}</span>
          </span>
        )}
        {response && <span class="code-number">{response.status_code}</span>}
        <span>{formatMs(step.duration_ms)}</span>
        {started && <time dateTime={step.start_time}>{started}</time>}
        <span class="muted">{step.qualified_step_id}</span>
      </p>
    </header>
  )
}

function StepYaml({ suite, step, open }: { suite: number; step: StepResult; open: boolean }) {
  const { line, failed_lines: marked = [] } = step
  const part = line === undefined ? undefined : sliceYaml(readSuite(suite).suite_yaml_content, line)
  if (!part) return null
  return (
    <Section title="Suite file" note={`from line ${part.line}`} open={open}>
      <SourceView text={part.text} label="step" firstLine={part.line} marked={marked} />
    </Section>
  )
}
