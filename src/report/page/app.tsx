import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isFailed, isStep, type Data } from './state/data.ts'
import { listRows, noFilter, type Folds, type Row } from './state/filter.ts'
import { useKeys } from './state/keyboard.ts'
import { useAddress, type Route } from './state/route.ts'
import { Latency } from './views/latency.tsx'
import { List } from './views/list.tsx'
import { Overview } from './views/overview.tsx'
import { StepView } from './views/step-view.tsx'
import { SuiteView } from './views/suite-view.tsx'
import { TopBar } from './views/top-bar.tsx'

/** The page: a list of suites and steps beside what is chosen in it; on a phone the list is a drawer. */
export function App({ data }: { data: Data }) {
  const { route, filter, go, setFilter } = useAddress(data)
  const step = route.entry && isStep(route.entry) ? route.entry : undefined
  const [folds, setFolds] = useState<Folds>(new Map())
  const [drawer, setDrawer] = useState(false)
  const { rows, shown } = useMemo(() => listRows(data, filter, folds), [data, filter, folds])
  // Where the keyboard went in the list since the view was opened.
  const [cursor, setCursor] = useState<{ route: Route; index: number }>()
  const active =
    cursor?.route === route
      ? Math.min(cursor.index, rows.length - 1)
      : rows.findIndex(({ entry }) => entry === route.entry)
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    main.current?.scrollTo(0, 0)
    setDrawer(false)
    const names = [step?.name, route.entry?.suite.name, data.run.project ?? 'Test report']
    document.title = names.filter(Boolean).join(' · ')
  }, [route.hash, data])
  const move = (by: number): void =>
    setCursor({ route, index: Math.max(0, Math.min(rows.length - 1, active + by)) })
  const fold = ({ entry, isOpen }: Row, open = !isOpen): void =>
    setFolds(new Map(folds).set(entry.suite.number, open))
  const goBy = (by: number): void => go(step?.suite.steps[step.place + by]?.hash)
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
    else go(step?.suite.hash ?? '#/')
  }
  useKeys({
    '/': search,
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ArrowLeft: () => rows[active] && fold(rows[active], false),
    ArrowRight: () => rows[active] && fold(rows[active], true),
    Enter: () => go(rows[active]?.entry.hash),
    n: () => goBy(1),
    p: () => goBy(-1),
    f: () => go(findFailure(data, route)),
    o: () => go('#/'),
    l: () => go('#/latency'),
    Escape: leave,
  })
  return (
    <div class={`app ${route.hash === '#/' ? 'at-overview' : ''} ${drawer ? 'drawn' : ''}`}>
      <TopBar data={data} route={route} isListOpen={drawer} onList={() => setDrawer(!drawer)} />
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
        <View route={route} data={data} />
      </main>
    </div>
  )
}

function View({ route: { hash, entry }, data }: { route: Route; data: Data }) {
  if (entry)
    return isStep(entry) ? <StepView key={hash} step={entry} /> : <SuiteView key={hash} suite={entry} />
  if (hash === '#/') return <Overview data={data} />
  if (hash === '#/latency') return <Latency data={data} />
  return (
    <article class="view" aria-label="Unknown address">
      <div class="callout">
        <h2>This report has nothing at this address</h2>
        <p>
          <code>{hash}</code> names no suite or step of this run: it may have been renamed, or the address is
          of another run. <a href="#/">Go to the overview</a>, or search in the list.
        </p>
      </div>
    </article>
  )
}

/** The next failed step, or suite that failed as a whole, behind what is shown; from the top again at the end. */
function findFailure({ places }: Data, { entry: shown }: Route): string | undefined {
  const entries = [...places.values()]
  const behind = entries.splice(0, shown ? entries.indexOf(shown) + 1 : 0)
  return [...entries, ...behind].find(isFailed)?.hash
}
