import { formatMs } from '../../performance/format-ms.ts'
import type { ResultStatus } from '../../../run/result.ts'
import type { Data, StepEntry } from '../state/data.ts'
import { noFilter, type Filter, type Row } from '../state/filter.ts'
import { countOf, statuses, statusNames } from '../state/format.ts'
import { StatusIcon } from '../parts/icons.tsx'
import { toHash, type Route } from '../state/route.ts'
import { VirtualList } from '../parts/virtual-list.tsx'

type Props = {
  data: Data
  rows: readonly Row[]
  filter: Filter
  active: number
  onFilter: (filter: Filter) => void
  onOpen: (route: Route) => void
}

/** The list of all suites and steps with its search and filters. */
export function Explorer({ data, rows, filter, active, onFilter, onOpen }: Props) {
  const shown = rows.filter((row) => row.kind === 'step').length
  return (
    <nav class="explorer" aria-label="Suites and steps">
      <Filters data={data} filter={filter} onFilter={onFilter} />
      <p class="found" role="status">
        {countOf(shown, 'step')} of {data.report.totals.steps.toLocaleString('en')}
        {filter !== noFilter && (
          <button type="button" class="link" onClick={() => onFilter(noFilter)}>
            Clear filters
          </button>
        )}
      </p>
      <VirtualList
        count={rows.length}
        rowHeight={32}
        active={active}
        label="Suites and steps"
        render={(index) => (
          <ListRow row={rows[index] as Row} data={data} active={index === active} onOpen={onOpen} />
        )}
      />
    </nav>
  )
}

function Filters({ data, filter, onFilter }: Pick<Props, 'data' | 'filter' | 'onFilter'>) {
  const tags = [...new Set(data.suites.flatMap((suite) => suite.tags))].sort()
  const priorities = [...new Set(data.suites.map((suite) => suite.priority))]
  const counts = countStatuses(data)
  const toggle = (status: ResultStatus): void => {
    const next = new Set(filter.statuses)
    if (!next.delete(status)) next.add(status)
    onFilter({ ...filter, statuses: next })
  }
  return (
    <div class="filters">
      <input
        id="search"
        type="search"
        placeholder="Search steps   /"
        aria-label="Search steps by name, path, status code or suite"
        value={filter.text}
        onInput={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <div class="chips" role="group" aria-label="Filter by status">
        {statuses
          .filter((status) => counts[status] > 0)
          .map((status) => (
            <button
              type="button"
              class={`chip ${status}`}
              aria-pressed={filter.statuses.has(status)}
              onClick={() => toggle(status)}
            >
              {counts[status].toLocaleString('en')} {statusNames[status]}
            </button>
          ))}
      </div>
      {(tags.length > 0 || priorities.length > 1) && (
        <div class="selects">
          {tags.length > 0 && (
            <Choice
              name="Tag"
              values={tags}
              value={filter.tag}
              onChange={(tag) => onFilter({ ...filter, tag })}
            />
          )}
          {priorities.length > 1 && (
            <Choice
              name="Priority"
              values={priorities}
              value={filter.priority}
              onChange={(priority) => onFilter({ ...filter, priority })}
            />
          )}
        </div>
      )}
    </div>
  )
}

function Choice({
  name,
  values,
  value,
  onChange,
}: {
  name: string
  values: string[]
  value: string
  onChange: (value: string) => void
}) {
  return (
    <select
      aria-label={`Filter by ${name.toLowerCase()}`}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{name === 'Tag' ? 'All tags' : 'All priorities'}</option>
      {values.map((one) => (
        <option value={one}>{one}</option>
      ))}
    </select>
  )
}

function countStatuses({ report: { totals } }: Data): Record<ResultStatus, number> {
  return {
    success: totals.steps_successful,
    failure: totals.steps_failed,
    skipped: totals.steps_skipped,
    not_run: totals.steps_not_run,
  }
}

function ListRow({
  row,
  data,
  active,
  onOpen,
}: {
  row: Row
  data: Data
  active: boolean
  onOpen: (route: Route) => void
}) {
  const route: Route =
    row.kind === 'suite'
      ? { view: 'suite', suite: row.suite }
      : { view: 'step', suite: row.step.suite, place: row.step.place }
  const open = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen(route)
  }
  const suite = row.kind === 'suite' ? data.suites[row.suite] : undefined
  return (
    <a
      class={`row ${row.kind}`}
      href={toHash(route, data)}
      aria-current={active ? 'true' : undefined}
      onClick={open}
    >
      {suite && (
        <>
          <StatusIcon status={suite.status} />
          <span class="name">{suite.suite_name}</span>
          <span class="ms">{formatMs(suite.duration_ms)}</span>
        </>
      )}
      {row.kind === 'step' && <StepCells step={row.step} />}
    </a>
  )
}

function StepCells({ step }: { step: StepEntry }) {
  return (
    <>
      <StatusIcon status={step.status} />
      <span class="name">{step.name}</span>
      {step.statusCode > 0 && <span class="code-number">{step.statusCode}</span>}
      <span class="ms">{step.offset < 0 ? '' : formatMs(step.duration)}</span>
    </>
  )
}
