import type { StepResult } from '../../../run/result.ts'
import { formatMs } from '../../../text/units.ts'
import { rerunCommand } from '../../rerun-command.ts'
import { sayFlaky, readStepDetails, readSuiteDetails } from '../state/data.ts'
import type { ReportData, StepEntry } from '../state/data.ts'
import { CheckFailure, readRest } from './checks.tsx'
import { ExchangeView } from './exchange.tsx'
import { Happenings } from './happenings.tsx'
import { Callouts, Facts, Fold, Prose, useFirst, View } from './parts.tsx'
import { Code, CopyButton, nameAll, Recorded, showLine } from './values.tsx'

export function StepView({ step: entry, data }: { step: StepEntry; data: ReportData }) {
  const { name, outcome, suite, line } = entry
  const step = readStepDetails(entry)
  const { assertions_results: rows, request_details: request, response_details: response } = step
  const rest = readRest(step.error_message ?? '', rows)
  const isFailed = outcome === 'failure'
  const [shown, more] = useFirst(
    rows.filter(({ passed }) => !passed),
    20,
  )
  const title = outcome === 'flaky' ? `${name} – flaky: ${sayFlaky(entry)}` : name
  const facts = [
    <a href={suite.hash}>
      <bdi>{suite.name}</bdi>
    </a>,
    [suite.file_path, line].filter(Boolean).join(':'),
    <CopyButton text={rerunCommand(suite.file_path, line, suite.suite_name)} label="command" />,
    request && <code>{showLine(`${request.method} ${request.full_url}`)}</code>,
    response && <b>{response.status_code}</b>,
    formatMs(step.duration_ms),
    step.start_time && `${step.start_time.slice(11, 23)} UTC`,
    step.qualified_step_id,
  ]
  const yaml = <StepYaml entry={entry} step={step} open={isFailed} />
  return (
    <View label={`Step ${name}`} kind={outcome} title={title}>
      <Facts label="The step" facts={facts} />
      {rest !== '' && <pre class="callout failure">{rest}</pre>}
      <Reason entry={entry} data={data} />
      {shown.map((row) => (
        <CheckFailure {...row} />
      ))}
      {more}
      <ExchangeView step={step} />
      {isFailed && yaml}
      <Callouts kind="warning" items={step.warnings} />
      <Happenings step={step} />
      <Recorded title="Connection" value={step.connection} open />
      <Recorded title="Timing in ms" value={step.timings} />
      <Recorded title="Redirects" value={step.redirects?.map(nameAll)} />
      <Recorded title="Requests for credentials" value={step.auth_requests?.map(nameAll)} />
      <Recorded title="Scenarios" value={step.scenarios_meta?.evaluations.map(nameAll)} />
      <Recorded title="Iteration" value={step.iteration} />
      <Recorded title="Captured variables" value={step.captured_variables} />
      <Recorded title="Available variables" value={step.available_variables} />
      {!isFailed && yaml}
    </View>
  )
}

/** Why a step did not run, with a link to the step responsible, which may be one of another suite. */
function Reason({ entry, data }: { entry: StepEntry; data: ReportData }) {
  const { outcome, skip_reason: reason, error, suite, place } = entry
  if (reason === undefined && (outcome !== 'not_run' || error !== undefined)) return null
  const [, file, line] = /” \((?:line |(.+?):)(\d+)\)/.exec(reason ?? '') ?? []
  const others = data.suites.filter(({ file_path }) => file_path === file)
  const steps = file ? others.flatMap((other) => other.steps) : suite.steps.slice(0, place)
  const named = steps.filter((step) => step.line === Number(line))
  const cause = named.find((step) => step.status === 'failure') ?? named[0]
  const text = reason
    ? `${outcome === 'not_run' ? 'Not run' : 'Skipped'}: ${reason}`
    : (suite.error ?? 'The run ended before this step.')
  // Code frames need a font of fixed width.
  if (reason === undefined && text.includes('\n')) return <pre class="callout">{text}</pre>
  return (
    <p class="callout">
      <Prose text={text} /> {cause && <a href={cause.hash}>Go to “{cause.name}”</a>}
    </p>
  )
}

/** The YAML of a step: its list item in the file, up to the next line that is indented less than the item's content. */
function StepYaml({ entry, step, open }: { entry: StepEntry; step: StepResult; open: boolean }) {
  const { line = 0, failed_lines: marked = [] } = step
  const [first = '', ...more] = readSuiteDetails(entry.suite)
    .suite_yaml_content.split('\n')
    .slice(line - 1)
  // In suites written in code or in flow style, a step has no lines of its own.
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
