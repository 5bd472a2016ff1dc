import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { formatMs } from '../performance/format-ms.ts'
import type { Data } from './state/data.ts'
import { Explorer } from './views/explorer.tsx'
import { listRows, noFilter, type Row } from './state/filter.ts'
import { statusNames } from './state/format.ts'
import { Help } from './views/help.tsx'
import { StatusIcon } from './parts/icons.tsx'
import { useKeys } from './state/keyboard.ts'
import { Overview } from './views/overview.tsx'
import { overview, useRoute, type Route } from './state/route.ts'
import { StepView } from './views/step-view.tsx'
import { SuiteView } from './views/suite-view.tsx'
import { useTheme } from './state/theme.ts'

/** The page: a list of suites and steps beside what is chosen in it. */
export function App({ data }: { data: Data }) {
  const [route, go] = useRoute(data)
  const [filter, setFilter] = useState(noFilter)
  const [help, setHelp] = useState(false)
  const [theme, nextTheme] = useTheme()
  const rows = useMemo(() => listRows(data, filter), [data, filter])
  // Where the keyboard went in the list since the view was opened.
  const [cursor, setCursor] = useState<{ route: Route; index: number }>()
  const active = cursor?.route === route ? Math.min(cursor.index, rows.length - 1) : findRow(rows, route)
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    main.current?.scrollTo(0, 0)
    document.title = describeTitle(route, data)
  }, [route, data])
  const move = (by: number): void =>
    setCursor({ route, index: Math.max(0, Math.min(rows.length - 1, active + by)) })
  const openRow = (row: Row | undefined): void => {
    if (row)
      go(
        row.kind === 'suite'
          ? { view: 'suite', suite: row.suite }
          : { view: 'step', suite: row.step.suite, place: row.step.place },
      )
  }
  useKeys({
    '/': focusSearch,
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => openRow(rows[active]),
    f: () => openRow(findFailure(data, rows, active)),
    o: () => go(overview),
    t: nextTheme,
    '?': () => setHelp(!help),
    Escape: () => {
      if (help) setHelp(false)
      else if (document.activeElement instanceof HTMLInputElement)
        leaveSearch(document.activeElement, () => setFilter(noFilter))
      else if (route.view === 'step') go({ view: 'suite', suite: route.suite })
      else go(overview)
    },
  })
  return (
    <div class={`app at-${route.view}`}>
      <TopBar
        data={data}
        theme={theme}
        onTheme={nextTheme}
        onHelp={() => setHelp(!help)}
        onHome={() => go(overview)}
      />
      <Explorer data={data} rows={rows} filter={filter} active={active} onFilter={setFilter} onOpen={go} />
      <main ref={main} tabIndex={-1}>
        <View route={route} data={data} go={go} />
      </main>
      {help && <Help onClose={() => setHelp(false)} />}
    </div>
  )
}

function View({ route, data, go }: { route: Route; data: Data; go: (route: Route) => void }) {
  if (route.view === 'overview') return <Overview data={data} />
  if (route.view === 'suite') return <SuiteView key={route.suite} data={data} suite={route.suite} />
  const { suite, place } = route
  const last = (data.steps[suite]?.length ?? 1) - 1
  const onMove = (by: number): void =>
    go({ view: 'step', suite, place: Math.max(0, Math.min(last, place + by)) })
  return <StepView key={`${suite} ${place}`} data={data} suite={suite} place={place} onMove={onMove} />
}

type BarProps = { data: Data; theme: string; onTheme: () => void; onHelp: () => void; onHome: () => void }

function TopBar({ data: { report }, theme, onTheme, onHelp, onHome }: BarProps) {
  return (
    <header class="top">
      <h1>
        <a
          href="#/"
          onClick={(event) => {
            event.preventDefault()
            onHome()
          }}
        >
          <StatusIcon status={report.status} /> Test report
        </a>
      </h1>
      <p>
        <span class={`verdict ${report.status}`}>{statusNames[report.status]}</span>
        {report.totals.steps_successful + report.totals.steps_failed > 0 && (
          <time dateTime={report.start_time}>{report.start_time.slice(0, 16).replace('T', ' ')} UTC</time>
        )}
        <span class="wide-only">{formatMs(report.duration_ms)}</span>
      </p>
      <div class="tools">
        <button type="button" class="narrow-only" onClick={focusSearch}>
          Steps
        </button>
        <button type="button" onClick={onTheme} aria-label={`Theme: ${theme}. Change`} title="Theme (t)">
          <span class="wide-only">Theme: </span>
          {theme === 'auto' ? 'Auto' : theme === 'light' ? 'Light' : 'Dark'}
        </button>
        <button type="button" onClick={onHelp} aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)">
          ?
        </button>
      </div>
    </header>
  )
}

function focusSearch(): void {
  const search = document.getElementById('search')
  search?.focus()
  search?.scrollIntoView({ block: 'start' })
}

function findRow(rows: readonly Row[], route: Route): number {
  if (route.view === 'overview') return -1
  return rows.findIndex((row) =>
    row.kind === 'suite'
      ? route.view === 'suite' && row.suite === route.suite
      : route.view === 'step' && row.step.suite === route.suite && row.step.place === route.place,
  )
}

/** The next failed step behind the active row, or suite that failed as a whole; from the top again at the end. */
function findFailure({ suites }: Data, rows: readonly Row[], active: number): Row | undefined {
  const isFailure = (row: Row): boolean =>
    row.kind === 'step' ? row.step.status === 'failure' : suites[row.suite]?.error !== undefined
  return rows.slice(active + 1).find(isFailure) ?? rows.find(isFailure)
}

function leaveSearch(input: HTMLInputElement, clear: () => void): void {
  if (input.value === '') input.blur()
  else clear()
}

function describeTitle(route: Route, data: Data): string {
  const suite = route.view === 'overview' ? undefined : data.suites[route.suite]?.suite_name
  const step = route.view === 'step' ? data.steps[route.suite]?.[route.place]?.name : undefined
  return [step, suite, 'Test report'].filter(Boolean).join(' · ')
}
