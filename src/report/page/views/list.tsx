import { formatMs } from '../../performance/format-ms.ts'
import type { Data, Kind, StepEntry, SuiteEntry } from '../state/data.ts'
import { noFilter, type Filter, type Row } from '../state/filter.ts'
import { countKind, countOf, kindNames } from '../state/format.ts'
import { Status } from '../parts/parts.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'

type Props = {
  data: Data
  rows: readonly Row[]
  /** Steps that match, also those in closed suites. */
  shown: number
  filter: Filter
  active: number
  onFilter: (filter: Filter) => void
  onFold: (row: Row) => void
}

/** The list of all suites and steps with its search and filters. */
export function List({ data, rows, shown, filter, active, onFilter, onFold }: Props) {
  const isFiltered = Object.values(filter).some((value) => value.length > 0)
  return (
    <nav class="list" id="list" aria-label="Suites and steps">
      <Filters data={data} filter={filter} onFilter={onFilter} />
      <p class="found" role="status">
        {countOf(shown, 'step')} of {data.steps.length.toLocaleString('en')}
        {isFiltered && (
          <button type="button" onClick={() => onFilter(noFilter)}>
            Clear filters
          </button>
        )}
      </p>
      <VirtualList
        count={rows.length}
        rowHeight={32}
        active={active}
        label="Suites and steps"
        render={(index) => <ListRow row={rows[index] as Row} active={index === active} onFold={onFold} />}
      />
    </nav>
  )
}

function Filters({ data, filter, onFilter }: Pick<Props, 'data' | 'filter' | 'onFilter'>) {
  const { suites, counts } = data
  const tags = [...new Set(suites.flatMap((suite) => suite.tags))].toSorted()
  const priorities = [...new Set(suites.map((suite) => suite.priority))]
  const toggle = (kind: Kind): void => {
    const { status } = filter
    onFilter({
      ...filter,
      status: status.includes(kind) ? status.filter((one) => one !== kind) : [...status, kind],
    })
  }
  return (
    <div class="filters">
      <input
        id="search"
        type="search"
        placeholder="Search steps and messages   /"
        aria-label="Search steps by name, path, status code, message or suite"
        value={filter.q}
        onInput={(event) => onFilter({ ...filter, q: event.currentTarget.value })}
      />
      <div class="chips" role="group" aria-label="Filter by status">
        {(Object.keys(kindNames) as Kind[])
          .filter((kind) => counts[kind] > 0)
          .map((kind) => (
            <button
              type="button"
              class={kind}
              aria-pressed={filter.status.includes(kind)}
              onClick={() => toggle(kind)}
            >
              {countKind(counts[kind], kind)}
            </button>
          ))}
      </div>
      <div class="selects">
        {tags.length > 0 && (
          <Choice
            all="All tags"
            values={tags}
            value={filter.tag}
            onChange={(tag) => onFilter({ ...filter, tag })}
          />
        )}
        {priorities.length > 1 && (
          <Choice
            all="All priorities"
            values={priorities}
            value={filter.priority}
            onChange={(priority) => onFilter({ ...filter, priority })}
          />
        )}
      </div>
    </div>
  )
}

type ChoiceProps = {
  all: string
  values: readonly string[]
  value: string
  onChange: (value: string) => void
}

function Choice({ all, values, value, onChange }: ChoiceProps) {
  return (
    <select aria-label={all} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{all}</option>
      {values.map((one) => (
        <option value={one}>{one}</option>
      ))}
    </select>
  )
}

function ListRow({ row, active, onFold }: { row: Row; active: boolean; onFold: (row: Row) => void }) {
  const { suite, step, isOpen } = row
  const { outcome, hash } = step ?? suite
  const name = step?.name ?? suite.suite_name
  return (
    <div class={step ? 'row step' : 'row suite'}>
      {!step && suite.steps.length > 0 && (
        <button
          type="button"
          aria-label={`${isOpen ? 'Close' : 'Open'} ${name}`}
          aria-expanded={isOpen}
          onClick={() => onFold(row)}
        />
      )}
      <a href={hash} aria-current={active ? 'true' : undefined} title={name}>
        <Status kind={outcome} />
        <span class="name">{name}</span>
        {step?.status_code !== undefined && <span class="code-number">{step.status_code}</span>}
        <span class="ms">{step ? describeStep(step) : describeSuite(suite)}</span>
      </a>
    </div>
  )
}

function describeStep({ request_ms, duration_ms }: StepEntry): string {
  return request_ms === undefined ? '' : formatMs(duration_ms)
}

function describeSuite({ steps, duration_ms, error }: SuiteEntry): string {
  if (error !== undefined) return 'failed as a whole'
  const failed = steps.filter(({ status }) => status === 'failure').length
  return failed > 0 ? `${failed} of ${steps.length} failed` : formatMs(duration_ms)
}
