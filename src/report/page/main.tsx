import { render } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { useAddress, type Address } from './state/address.ts'
import { isFailed, isStep, readData, type Data } from './state/data.ts'
import { listRows, type Folds } from './state/filter.ts'
import { List } from './views/list.tsx'
import { Overview } from './views/overview.tsx'
import { Status } from './views/parts.tsx'
import { StepView } from './views/step.tsx'
import { SuiteView } from './views/suite.tsx'

/** The page: a list of suites and steps beside what is chosen in it. */
function App({ data }: { data: Data }) {
  const { hash, entry, filter, go, setFilter } = useAddress(data)
  const [folds, setFolds] = useState<Folds>(new Map())
  const { rows, shown } = useMemo(() => listRows(data, filter, folds), [data, filter, folds])
  const active = rows.findIndex((row) => row.entry === entry)
  const project = data.run.project ?? 'Test report'
  useLayoutEffect(() => {
    const names = [entry && isStep(entry) && entry.name, entry?.suite.name, project]
    document.title = names.filter(Boolean).join(' · ')
    document.getElementById('list')?.hidePopover()
    scrollTo(0, 0)
  }, [hash])
  useKeys({
    '/': openSearch,
    j: () => go(rows[active + 1]?.entry.hash),
    k: () => go(rows[active - 1]?.entry.hash),
    f: () => go(findFailure(data, entry)),
    o: () => go('#/'),
    Escape: () => go(entry && isStep(entry) ? entry.suite.hash : '#/'),
  })
  return (
    <>
      <List
        data={data}
        filter={filter}
        onFilter={setFilter}
        rows={rows}
        shown={shown}
        active={active}
        onFold={({ entry: { suite }, isOpen }) => setFolds(new Map(folds).set(suite, !isOpen))}
      />
      <main>
        <header class="top">
          <button type="button" popovertarget="list">
            Steps
          </button>
          <h1>
            <a href="#/">
              <Status kind={data.report.status} /> {project}
            </a>
          </h1>
        </header>
        <View key={hash} hash={hash} entry={entry} data={data} />
      </main>
    </>
  )
}

function View({ hash, entry, data }: Pick<Address, 'hash' | 'entry'> & { data: Data }) {
  if (entry) return isStep(entry) ? <StepView step={entry} /> : <SuiteView suite={entry} />
  if (hash === '#/') return <Overview data={data} />
  return (
    <article class="view" aria-label="Unknown address">
      <h2>This report has nothing at this address</h2>
      <p>
        <code>{hash}</code> names no suite or step of this run: it may have been renamed, or the address is of
        another run. <a href="#/">Go to the overview</a>, or search in the list.
      </p>
    </article>
  )
}

function openSearch(): void {
  const list = document.getElementById('list')
  if (!list?.checkVisibility()) list?.showPopover()
  document.getElementById('search')?.focus()
}

/** The next failed step, or suite that failed as a whole, behind what is shown; from the top again at the end. */
function findFailure({ entries }: Data, shown: Address['entry']): string | undefined {
  const behind = shown ? entries.indexOf(shown) + 1 : 0
  return [...entries.slice(behind), ...entries.slice(0, behind)].find(isFailed)?.hash
}

/** Calls what a key stands for, unless it is pressed with a modifier or typed into a field, which Escape leaves. */
function useKeys(keys: Record<string, () => void>): void {
  // Not an effect after the first paint: a key pressed at once would be lost.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event
      const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement
      if (isField && key === 'Escape') target.blur()
      // The browser itself closes the list where it is a popover.
      if (key === 'Escape' && document.querySelector(':popover-open')) return
      if (isField || ctrlKey || metaKey || altKey || !Object.hasOwn(keys, key)) return
      event.preventDefault()
      keys[key]?.()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

render(<App data={readData()} />, document.getElementById('app') as HTMLElement)
