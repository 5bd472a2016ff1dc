import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { countOf, formatMs } from '../../../text/units.ts'
import { noFilter, type Address, type Filter } from '../state/address.ts'
import {
  countKind,
  isFailed,
  isStepEntry,
  kinds,
  sortByUrgency,
  type Entry,
  type Kind,
  type ReportData,
  type SuiteEntry,
} from '../state/data.ts'
import { Status, useFirst } from './parts.tsx'

type Row = { entry: Entry; isOpen: boolean }

type Folds = ReadonlyMap<SuiteEntry, boolean>

/** Maximum number of suites and steps for which all suites start open, if nothing failed. */
const fewRows = 300

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

/** Lists suites with their matching steps, failed suites first; `shown` counts the steps, including those in closed suites. Every word of `q` must occur in a step or its suite. */
function listRows(
  data: ReportData,
  { filter, folds, active }: { filter: Filter; folds: Folds; active: Entry | undefined },
): { rows: Row[]; shown: number } {
  const { q, status, tag, priority } = filter
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const isCalm = !data.suites.some(({ outcome }) => outcome === 'failure' || outcome === 'not_run')
  const opensAll = words.length + status.length > 0 || (isCalm && data.entries.length <= fewRows)
  const rows: Row[] = []
  let shown = 0
  for (const suite of sortByUrgency(data.suites)) {
    const left = words.filter((word) => !suite.text.includes(word))
    const matches = ({ outcome, warnings, text }: Entry): boolean =>
      (tag === '' || suite.tags.includes(tag)) &&
      (priority === '' || suite.priority === priority) &&
      (status.length === 0 ||
        status.includes(warnings && status.includes('warning') ? 'warning' : outcome)) &&
      left.every((word) => text.includes(word))
    const steps = suite.steps.filter(matches)
    if (steps.length === 0 && !matches(suite)) continue
    const isActive = active !== suite && active?.suite === suite
    const isOpen = folds.get(suite) ?? (opensAll || isActive || /failure|not_run|flaky/.test(suite.outcome))
    shown += steps.length
    for (const entry of isOpen ? [suite, ...steps] : [suite]) rows.push({ entry, isOpen })
  }
  return { rows, shown }
}

/** Shows the list if it is hidden, as on a phone. */
export function showList(): void {
  const list = document.getElementById('list')
  if (!list?.checkVisibility()) list?.showPopover()
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
