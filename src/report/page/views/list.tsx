import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatMs } from '../../../text/units.ts'
import { isFailed, isStep, kinds, type Data, type Entry } from '../state/data.ts'
import { noFilter, type Filter, type Row } from '../state/filter.ts'
import { countKind, countOf } from '../state/text.ts'
import { Status, useFirst } from './parts.tsx'

type FilterProps = { data: Data; filter: Filter; onFilter: (filter: Filter) => void }

type ListProps = FilterProps & {
  rows: readonly Row[]
  /** Steps that match, also those in closed suites. */
  shown: number
  /** Place of the row whose view is open; -1 when it is not in the list. */
  active: number
  onFold: (row: Row) => void
}

/** Rows that are in the document at once, and as many more as lead to the active one. */
const mostRows = 500

/** All suites and steps with a search and filters; a popover where there is no room beside the view. */
export function List({ data, filter, onFilter, rows, shown, active, onFold }: ListProps) {
  const box = useRef<HTMLOListElement>(null)
  useLayoutEffect(() => box.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active])
  const [first, rest] = useFirst(rows, Math.max(mostRows, active + 1))
  return (
    <nav class="list" id="list" popover aria-label="Suites and steps">
      <Filters data={data} filter={filter} onFilter={onFilter} />
      <p class="muted" role="status">
        {countOf(shown, 'step')} of {data.report.totals.steps.toLocaleString('en')}{' '}
        {Object.values(filter).some((value) => value.length > 0) && (
          <button type="button" onClick={() => onFilter(noFilter)}>
            Clear filters
          </button>
        )}
      </p>
      <ol ref={box} aria-label="Suites and steps" tabIndex={0}>
        {first.map((row, index) => (
          <ListRow row={row} active={index === active} onFold={onFold} />
        ))}
        {rest}
      </ol>
    </nav>
  )
}

function Filters({ data: { suites, counts }, filter, onFilter }: FilterProps) {
  const choices = [
    ['tag', 'All tags', new Set(suites.flatMap(({ tags }) => tags))],
    ['priority', 'All priorities', new Set(suites.map(({ priority }) => priority))],
  ] as const
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
      {kinds.map((kind) => {
        const isOn = filter.status.includes(kind)
        const others = filter.status.filter((one) => one !== kind)
        if (counts[kind] === 0) return null
        return (
          <button
            type="button"
            class={`chip ${kind}`}
            aria-pressed={isOn}
            onClick={() => onFilter({ ...filter, status: isOn ? others : [...others, kind] })}
          >
            {countKind(counts[kind], kind)}
          </button>
        )
      })}
      {choices.map(
        ([name, all, values]) =>
          values.size > 1 && (
            <select
              aria-label={all}
              value={filter[name]}
              onChange={(event) => onFilter({ ...filter, [name]: event.currentTarget.value })}
            >
              <option value="">{all}</option>
              {[...values].toSorted().map((one) => (
                <option>{one}</option>
              ))}
            </select>
          ),
      )}
    </div>
  )
}

type RowProps = Pick<ListProps, 'onFold'> & { row: Row; active: boolean }

function ListRow({ row, active, onFold }: RowProps) {
  const { entry, isOpen } = row
  const { name, outcome, hash } = entry
  return (
    <li class={isStep(entry) ? 'row step' : 'row suite'}>
      {!isStep(entry) && (
        <button
          type="button"
          aria-label={`${isOpen ? 'Close' : 'Open'} ${name}`}
          aria-expanded={isOpen}
          onClick={() => onFold(row)}
        >
          {isOpen ? '▾' : '▸'}
        </button>
      )}
      <a href={hash} aria-current={active ? 'page' : undefined} title={name}>
        <Status kind={outcome} />
        <span class="name">{name}</span>
        <small>{describe(entry)}</small>
      </a>
    </li>
  )
}

function describe(entry: Entry): string {
  if (isStep(entry))
    return entry.request_ms === undefined ? '' : `${entry.status_code ?? ''} ${formatMs(entry.duration_ms)}`
  if (isFailed(entry)) return 'failed as a whole'
  const failed = entry.steps.filter(isFailed).length
  return failed > 0 ? `${failed} of ${entry.steps.length} failed` : formatMs(entry.duration_ms)
}
