import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { countOf, formatMs } from '../../../text/units.ts'
import type { Address } from '../state/address.ts'
import {
  countKind,
  isFailed,
  isStepEntry,
  kinds,
  type ReportData,
  type Entry,
  type Kind,
} from '../state/data.ts'
import { listRows, noFilter, type Filter, type Folds } from '../state/filter.ts'
import { Status, useFirst } from './parts.tsx'

type FilterProps = { data: ReportData; filter: Filter; setFilter: (filter: Filter) => void }

/** Maximum number of rows rendered at once; more if the active row is further down. */
const mostRows = 500

/** All suites and steps, with search and filters; a popover if there is no room beside the view. */
export function List({ data, filter, setFilter, entry: active }: FilterProps & Pick<Address, 'entry'>) {
  const [folds, setFolds] = useState<Folds>(new Map())
  const { rows, shown } = useMemo(
    () => listRows(data, { filter, folds, active }),
    [data, filter, folds, active],
  )
  const place = rows.findIndex(({ entry }) => entry === active)
  const [first, rest] = useFirst(rows, Math.max(mostRows, place + 2))
  const box = useRef<HTMLOListElement>(null)
  useLayoutEffect(() => box.current?.children[place]?.scrollIntoView({ block: 'nearest' }), [place])
  const isFiltered = Object.values(filter).some((value) => value.length > 0)
  return (
    <nav class="list" id="list" popover aria-label="Suites and steps">
      <button class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip the list
      </button>
      <div class="filters">
        <Filters data={data} filter={filter} setFilter={setFilter} />
        <p class="muted" role="status">
          {countOf(shown, 'step')} of {data.report.totals.steps.toLocaleString('en')}{' '}
          {isFiltered && <button onClick={() => setFilter(noFilter)}>Clear filters</button>}
        </p>
      </div>
      <ol ref={box} aria-label="Suites and steps" tabIndex={0}>
        {first.map(({ entry, isOpen }) => (
          <li class={isStepEntry(entry) ? 'row step' : 'row suite'}>
            {!isStepEntry(entry) && (
              <button
                aria-label={`${isOpen ? 'Close' : 'Open'} ${entry.name}`}
                aria-expanded={isOpen}
                onClick={() => setFolds(new Map(folds).set(entry, !isOpen))}
              >
                {isOpen ? '▾' : '▸'}
              </button>
            )}
            <a href={entry.hash} aria-current={entry === active ? 'page' : undefined} title={entry.name}>
              <Status kind={entry.outcome} />
              <bdi class="name">{isStepEntry(entry) ? entry.name : <strong>{entry.name}</strong>}</bdi>
              <small>{describe(entry)}</small>
            </a>
          </li>
        ))}
        {rest && <li>{rest}</li>}
      </ol>
    </nav>
  )
}

function Filters({ data: { suites, counts }, filter, setFilter }: FilterProps) {
  const { q, status } = filter
  const choices = [
    ['tag', 'All tags', new Set(suites.flatMap(({ tags }) => tags))],
    ['priority', 'All priorities', new Set(suites.map(({ priority }) => priority))],
  ] as const
  return (
    <>
      <input
        id="search"
        type="search"
        placeholder="Search steps and messages   /"
        aria-label="Search steps by name, path, status code, message or suite"
        value={q}
        onInput={(event) => setFilter({ ...filter, q: event.currentTarget.value })}
      />
      {kinds
        .filter((kind) => counts[kind] > 0 || status.includes(kind))
        .map((kind) => (
          <button
            class={`chip ${kind}`}
            aria-pressed={status.includes(kind)}
            onClick={() => setFilter({ ...filter, status: toggle(status, kind) })}
          >
            <Status kind={kind} /> {countKind(counts[kind], kind)}
          </button>
        ))}
      {choices
        .filter(([, , values]) => values.size > 1)
        .map(([name, all, values]) => (
          <select
            aria-label={all}
            value={filter[name]}
            onChange={(event) => setFilter({ ...filter, [name]: event.currentTarget.value })}
          >
            <option value="">{all}</option>
            {[...values].toSorted().map((one) => (
              <option>{one}</option>
            ))}
          </select>
        ))}
    </>
  )
}

function toggle(kinds: readonly Kind[], kind: Kind): Kind[] {
  const others = kinds.filter((one) => one !== kind)
  return others.length < kinds.length ? others : [...kinds, kind]
}

function describe(entry: Entry): string {
  const { duration_ms } = entry
  if (isStepEntry(entry))
    return entry.request_ms === undefined ? '' : `${entry.status_code ?? ''} ${formatMs(duration_ms)}`
  if (isFailed(entry)) return 'the suite itself failed'
  const failed = entry.steps.filter(isFailed).length
  return failed > 0 ? `${failed} of ${entry.steps.length} failed` : formatMs(duration_ms)
}
