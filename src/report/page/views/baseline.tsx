import { formatMs } from '../../performance/format-ms.ts'
import { Many, Status } from '../parts/parts.tsx'
import type { Data, Kind } from '../state/data.ts'
import { kindNames } from '../state/format.ts'

/** Change of a suite's average request that is worth a line: in percent and in ms. */
const notable = { percent: 20, ms: 10 }

/** What is different from the run that `report.baseline` names. */
export function Baseline({ data: { report, steps, suites } }: { data: Data }) {
  const { baseline } = report
  if (!baseline) return null
  const { newly_failed, newly_flaky, before_ms, now_ms } = baseline
  const pick = (kind: Kind, ids: readonly string[] = []): Change[] =>
    steps
      .filter((step) => step.outcome === kind && ids.includes(step.qualified_step_id))
      .map(({ hash, name }) => ({ hash, name, kind, text: `newly ${kindNames[kind]}` }))
  const slower = baseline.suites.flatMap((change): Change[] => {
    const suite = suites.find(({ node_id }) => node_id === change.node_id)
    const { before_ms: before = 0, now_ms: now = 0, change_percent: percent = 0 } = change
    if (!suite || percent < notable.percent || now - before < notable.ms) return []
    const text = `slower: ${formatMs(before)} → ${formatMs(now)}, +${percent} %`
    return [{ hash: suite.hash, name: suite.suite_name, kind: 'warning', text }]
  })
  const failed = pick('failure', newly_failed)
  const flaky = pick('flaky', newly_flaky)
  const isTimed = now_ms !== undefined && before_ms !== undefined
  return (
    <section>
      <h2>
        Compared with the baseline{' '}
        <small>
          {failed.length} newly failed, {flaky.length} newly flaky, {slower.length} slower
          {isTimed && `; the average request took ${formatMs(now_ms)}, ${formatMs(before_ms)} before`}
        </small>
      </h2>
      <ul class="entries">
        <Many
          items={[...failed, ...flaky, ...slower]}
          most={8}
          render={({ hash, name, kind, text }) => (
            <li>
              <a href={hash}>
                <Status kind={kind} />
                <span>
                  <b>{name}</b> <small>{text}</small>
                </span>
              </a>
            </li>
          )}
        />
      </ul>
    </section>
  )
}

type Change = { hash: string; name: string; kind: Kind; text: string }
