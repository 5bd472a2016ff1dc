import { formatMs } from '../../performance/format-ms.ts'
import { Status } from '../parts/parts.tsx'
import type { Data } from '../state/data.ts'
import type { Route } from '../state/route.ts'

type Props = {
  data: Data
  route: Route
  isListOpen: boolean
  onHelp: () => void
  onList: () => void
}

/** What was tested and where, the ways to the views, and the settings of the page. */
export function TopBar({ data, route, isListOpen, onHelp, onList }: Props) {
  const { run, report } = data
  return (
    <header class="top">
      <button
        type="button"
        class="narrow-only"
        aria-expanded={isListOpen}
        aria-controls="list"
        onClick={onList}
      >
        Steps
      </button>
      <h1>
        <a href="#/">
          <Status kind={report.status} /> {run.project ?? 'Test report'}
        </a>
      </h1>
      <div class="views">
        <Tab hash="#/" name="Overview" route={route} />
        <Tab hash="#/latency" name="Latency" route={route} />
      </div>
      <ul class="run" aria-label="The run">
        {listFacts(data).map(([name, value]) => (
          <li>
            {name && <span>{name} </span>}
            {value}
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="wide-only"
        onClick={onHelp}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
      >
        ?
      </button>
    </header>
  )
}

function Tab({ hash, name, route }: { hash: string; name: string; route: Route }) {
  return (
    <a href={hash} aria-current={route.hash === hash ? 'page' : undefined}>
      {name}
    </a>
  )
}

/** Facts of the run with their names; those that are not known are left out. */
function listFacts({ run, report }: Data): [name: string, value: string][] {
  const isRun = report.totals.steps_successful + report.totals.steps_failed > 0
  const time = `${report.start_time.slice(0, 16).replace('T', ' ')} UTC`
  const facts: [string, string | number | undefined][] = [
    ['', isRun ? time : undefined],
    ['took', isRun ? formatMs(report.duration_ms) : undefined],
    ['suites at once', report.concurrency],
    ['branch', run.branch],
    ['commit', run.commit],
    ['environment', run.environment],
    ['Node', run.node],
    ['seed', run.seed],
  ]
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
}
