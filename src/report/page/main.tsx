import { render } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { useAddress, type Address } from './state/address.ts'
import { isFailed, isStepEntry, readReportData, type ReportData } from './state/data.ts'
import { List, showList } from './views/list.tsx'
import { Overview } from './views/overview.tsx'
import { Status, View } from './views/parts.tsx'
import { StepView } from './views/step.tsx'
import { SuiteView } from './views/suite.tsx'

function App({ data }: { data: ReportData }) {
  const { hash, entry, filter, setFilter } = useAddress(data)
  const project = data.run.project ?? 'Test report'
  useLayoutEffect(() => {
    const names = [entry && isStepEntry(entry) && entry.name, entry?.suite.name, project]
    document.title = names.filter(Boolean).join(' · ')
    document.getElementById('list')?.hidePopover()
    scrollTo(0, 0)
  }, [hash])
  const keys: Partial<Record<string, () => void>> = {
    '/'() {
      showList()
      document.getElementById('search')?.focus()
    },
    j: () => moveInList(1),
    k: () => moveInList(-1),
    f: () => go(findFailure(data, entry)),
    o: () => go('#/'),
    Escape: () => go(entry && isStepEntry(entry) ? entry.suite.hash : '#/'),
  }
  globalThis.onkeydown = (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement
    if (isField && key === 'Escape') target.blur()
    // The browser itself closes the list if it is a popover.
    if (key === 'Escape' && document.querySelector(':popover-open')) return
    if (isField || ctrlKey || metaKey || altKey || !keys[key]) return
    event.preventDefault()
    keys[key]()
  }
  return (
    <>
      <main>
        <header class="top">
          <button popovertarget="list">Steps</button>
          <h1>
            <a href="#/">
              <Status kind={data.report.status} /> {project}
            </a>
          </h1>
        </header>
        <Chosen key={hash} hash={hash} entry={entry} data={data} />
      </main>
      <List data={data} filter={filter} setFilter={setFilter} entry={entry} />
    </>
  )
}

function Chosen({ hash, entry, data }: Pick<Address, 'hash' | 'entry'> & { data: ReportData }) {
  if (entry) return isStepEntry(entry) ? <StepView step={entry} data={data} /> : <SuiteView suite={entry} />
  if (hash === '#/') return <Overview data={data} />
  return (
    <View label="Unknown address" title="This report has nothing at this address">
      <p>
        <code>{hash}</code> names no suite or step of this run. <a href="#/">Go to the overview</a>
      </p>
    </View>
  )
}

/** Goes to another view at once: the next key may come before the browser itself reports the new address. */
function go(hash: string | null | undefined): void {
  if (!hash || location.hash.split('?')[0] === hash) return
  location.hash = hash
  dispatchEvent(new Event('hashchange'))
}

/** Goes to the row that is this many rows below the current one; negative numbers go up. */
function moveInList(rows: number): void {
  const links = [...document.querySelectorAll('#list li a')]
  go(links[links.findIndex((link) => link.ariaCurrent === 'page') + rows]?.getAttribute('href'))
}

/** The next failed step, or suite that failed as a whole, after the one shown; continues from the top at the end. */
function findFailure({ entries }: ReportData, shown: Address['entry']): string | undefined {
  const behind = shown ? entries.indexOf(shown) + 1 : 0
  return [...entries.slice(behind), ...entries.slice(0, behind)].find(isFailed)?.hash
}

const data = readReportData()
const place = document.getElementById('app') as HTMLElement
place.replaceChildren()
render(<App data={data} />, place)
