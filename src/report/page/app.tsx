import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Data } from './state/data.ts'
import { listRows, noFilter, type Folds, type Row } from './state/filter.ts'
import { useKeys } from './state/keyboard.ts'
import { useAddress, type Route } from './state/route.ts'
import { Help } from './views/help.tsx'
import { Latency } from './views/latency.tsx'
import { List } from './views/list.tsx'
import { Overview } from './views/overview.tsx'
import { StepView } from './views/step-view.tsx'
import { SuiteView } from './views/suite-view.tsx'
import { TopBar } from './views/top-bar.tsx'

/** The page: a list of suites and steps beside what is chosen in it; on a phone the list is a drawer. */
export function App({ data }: { data: Data }) {
  const { route, filter, go, setFilter } = useAddress(data)
  const [folds, setFolds] = useState<Folds>(new Map())
  const [help, setHelp] = useState(false)
  const [drawer, setDrawer] = useState(false)
  const { rows, shown } = useMemo(() => listRows(data, filter, folds), [data, filter, folds])
  // Where the keyboard went in the list since the view was opened.
  const [cursor, setCursor] = useState<{ route: Route; index: number }>()
  const active = cursor?.route === route ? Math.min(cursor.index, rows.length - 1) : findRow(rows, route)
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    main.current?.scrollTo(0, 0)
    setDrawer(false)
    document.title = describeTitle(route, data)
  }, [route.hash, data])
  const move = (by: number): void =>
    setCursor({ route, index: Math.max(0, Math.min(rows.length - 1, active + by)) })
  const fold = ({ suite, isOpen }: Row, open = !isOpen): void =>
    setFolds(new Map(folds).set(suite.number, open))
  const openRow = (row: Row | undefined): void => row && go((row.step ?? row.suite).hash)
  const goBy = (by: number): void => {
    const step = route.view === 'step' ? route.suite.steps[route.step.place + by] : undefined
    if (step) go(step.hash)
  }
  const search = (): void => {
    setDrawer(true)
    // The drawer cannot take the focus before it is drawn.
    requestAnimationFrame(() => document.getElementById('search')?.focus())
  }
  const leave = (): void => {
    const field = document.activeElement
    if (field instanceof HTMLInputElement && field.value !== '') setFilter(noFilter)
    else if (field instanceof HTMLInputElement) field.blur()
    else if (drawer) setDrawer(false)
    else go(route.view === 'step' ? route.suite.hash : '#/')
  }
  useKeys({
    '/': search,
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ArrowLeft: () => rows[active] && fold(rows[active], false),
    ArrowRight: () => rows[active] && fold(rows[active], true),
    Enter: () => openRow(rows[active]),
    n: () => goBy(1),
    p: () => goBy(-1),
    f: () => go(findFailure(data, route) ?? route.hash),
    o: () => go('#/'),
    l: () => go('#/latency'),
    '?': () => setHelp(!help),
    Escape: help ? () => setHelp(false) : leave,
  })
  return (
    <div class={`app at-${route.view} ${drawer ? 'drawn' : ''}`}>
      <TopBar
        data={data}
        route={route}
        isListOpen={drawer}
        onHelp={() => setHelp(true)}
        onList={() => setDrawer(!drawer)}
      />
      <List
        data={data}
        rows={rows}
        shown={shown}
        filter={filter}
        active={active}
        onFilter={setFilter}
        onFold={fold}
      />
      <div class="veil" onClick={() => setDrawer(false)} />
      <main ref={main} tabIndex={-1}>
        <View route={route} data={data} go={go} />
      </main>
      {help && <Help onClose={() => setHelp(false)} />}
    </div>
  )
}

function View({ route, data, go }: { route: Route; data: Data; go: (hash: string) => void }) {
  if (route.view === 'overview') return <Overview data={data} />
  if (route.view === 'latency') return <Latency data={data} />
  if (route.view === 'suite') return <SuiteView key={route.hash} suite={route.suite} />
  if (route.view === 'step') return <StepView key={route.hash} step={route.step} go={go} />
  return (
    <article class="view" aria-label="Unknown address">
      <div class="callout">
        <h2>This report has nothing at this address</h2>
        <p>
          <code class="tick">{route.hash}</code> names no suite or step of this run: it may have been renamed,
          or the address is of another run. <a href="#/">Go to the overview</a>, or search in the list.
        </p>
      </div>
    </article>
  )
}

function findRow(rows: readonly Row[], route: Route): number {
  return rows.findIndex(({ suite, step }) => (step ?? suite).hash === route.hash)
}

/** The next failed step, or suite that failed as a whole, behind what is shown; from the top again at the end. */
function findFailure({ suites }: Data, route: Route): string | undefined {
  const failures = suites.flatMap((suite) => [
    ...(suite.error === undefined ? [] : [{ suite, place: -1, hash: suite.hash }]),
    ...suite.steps.filter(({ status }) => status === 'failure'),
  ])
  const place = route.view === 'step' ? route.step.place : -1
  const number = 'suite' in route ? route.suite.number : -1
  const isBehind = (one: (typeof failures)[number]): boolean =>
    one.suite.number > number || (one.suite.number === number && one.place > place)
  return (failures.find(isBehind) ?? failures[0])?.hash
}

function describeTitle(route: Route, { run }: Data): string {
  const suite = 'suite' in route ? route.suite.suite_name : undefined
  const step = route.view === 'step' ? route.step.name : undefined
  return [step, suite, run.project ?? 'Test report'].filter(Boolean).join(' · ')
}
