import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatMs } from '../../../text/units.ts'
import { isFailed, isStep, type Data, type Entry, type Kind } from '../state/data.ts'
import { noFilter, type Filter, type Row } from '../state/filter.ts'
import { countKind, countOf } from '../state/format.ts'
import { kinds } from '../state/kinds.ts'
import { Status, useFirst } from '../parts/parts.tsx'

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

/** Rows that are in the document at once, and as many more as lead to the active one. */
const mostRows = 500

/** The list of all suites and steps with its search and filters. */
export function List({ data, rows, shown, filter, active, onFilter, onFold }: Props) {
  const box = useRef<HTMLOListElement>(null)
  useLayoutEffect(() => box.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active])
  const [first, rest] = useFirst(rows, Math.max(mostRows, active + 1))
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
      <ol class="found-rows" ref={box} aria-label="Suites and steps" tabIndex={0}>
        {first.map((row, index) => (
          <li>
            <ListRow row={row} active={index === active} onFold={onFold} />
          </li>
        ))}
        {rest}
      </ol>
    </nav>
  )
}

function Filters({ data, filter, onFilter }: Pick<Props, 'data' | 'filter' | 'onFilter'>) {
  const { suites, counts } = data
  const tags = [...new Set(suites.flatMap((suite) => suite.tags))].toSorted()
  const priorities = [...new Set(suites.map((suite) => suite.priority))]
  const choices = [
    ['tag', 'All tags', tags],
    ['priority', 'All priorities', priorities.length > 1 ? priorities : []],
  ] as const
  const toggle = (kind: Kind): void => {
    const others = filter.status.filter((one) => one !== kind)
    onFilter({ ...filter, status: filter.status.includes(kind) ? others : [...others, kind] })
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
        {kinds
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
        {choices.map(
          ([name, all, values]) =>
            values.length > 0 && (
              <select
                aria-label={all}
                value={filter[name]}
                onChange={(event) => onFilter({ ...filter, [name]: event.currentTarget.value })}
              >
                <option value="">{all}</option>
                {values.map((one) => (
                  <option value={one}>{one}</option>
                ))}
              </select>
            ),
        )}
      </div>
    </div>
  )
}

function ListRow({ row, active, onFold }: { row: Row; active: boolean; onFold: (row: Row) => void }) {
  const { entry, isOpen } = row
  const { name, outcome, hash } = entry
  return (
    <div class={isStep(entry) ? 'row step' : 'row suite'}>
      {!isStep(entry) && entry.steps.length > 0 && (
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
        {isStep(entry) && entry.status_code && <small class="code-number">{entry.status_code}</small>}
        <small>{describe(entry)}</small>
      </a>
    </div>
  )
}

function describe(entry: Entry): string {
  if (isStep(entry)) return entry.request_ms === undefined ? '' : formatMs(entry.duration_ms)
  if (isFailed(entry)) return 'failed as a whole'
  const failed = entry.steps.filter(isFailed).length
  return failed > 0 ? `${failed} of ${entry.steps.length} failed` : formatMs(entry.duration_ms)
}
