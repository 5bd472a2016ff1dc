import { formatMs } from '../../../text/units.ts'
import { Status } from '../parts/parts.tsx'
import type { Data } from '../state/data.ts'
import type { Route } from '../state/route.ts'

type Props = { data: Data; route: Route; isListOpen: boolean; onList: () => void }

const tabs = { Overview: '#/', Latency: '#/latency' }

/** What was tested and where, the ways to the views, and the settings of the page. */
export function TopBar({ data, route, isListOpen, onList }: Props) {
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
        {Object.entries(tabs).map(([name, hash]) => (
          <a href={hash} aria-current={route.hash === hash ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </div>
      <ul class="run" aria-label="The run">
        {listFacts(data).map(
          ([name, value]) =>
            value !== undefined && (
              <li>
                <span>{name}</span> {value}
              </li>
            ),
        )}
      </ul>
    </header>
  )
}

/** Facts of the run with their names; those that are not known are undefined. */
function listFacts({ run, report }: Data): [name: string, value: string | number | undefined][] {
  const isRun = report.totals.steps_successful + report.totals.steps_failed > 0
  const time = `${report.start_time.slice(0, 16).replace('T', ' ')} UTC`
  return [
    ['', isRun ? time : undefined],
    ['took', isRun ? formatMs(report.duration_ms) : undefined],
    ['suites at once', report.concurrency],
    ['branch', run.branch],
    ['commit', run.commit],
    ['environment', run.environment],
    ['Node', run.node],
    ['seed', run.seed],
  ]
}
