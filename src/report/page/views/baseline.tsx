import { formatMs } from '../../../text/units.ts'
import type { Data, Kind } from '../state/data.ts'
import { kindTable } from '../state/kinds.ts'
import { Entries } from './entries.tsx'

/** Change of a suite's average request that is worth a line: in percent and in ms. */
const notable = { percent: 20, ms: 10 }

/** What is different from the run that `report.baseline` names. */
export function Baseline({ data: { report, steps, suites } }: { data: Data }) {
  const { baseline } = report
  if (!baseline) return null
  const { newly_failed, newly_flaky, before_ms, now_ms } = baseline
  const pick = (kind: Kind, ids: readonly string[] = []) =>
    steps
      .filter((step) => step.outcome === kind && ids.includes(step.qualified_step_id))
      .map((entry) => ({ entry, kind, text: `newly ${kindTable[kind].name}` }))
  const slower = baseline.suites.flatMap((change) => {
    const entry = suites.find(({ node_id }) => node_id === change.node_id)
    const { before_ms: before = 0, now_ms: now = 0, change_percent: percent = 0 } = change
    if (!entry || percent < notable.percent || now - before < notable.ms) return []
    const text = `slower: ${formatMs(before)} → ${formatMs(now)}, +${percent} %`
    return [{ entry, kind: 'warning' as const, text }]
  })
  const failed = pick('failure', newly_failed)
  const flaky = pick('flaky', newly_flaky)
  const isTimed = now_ms !== undefined && before_ms !== undefined
  const time = isTimed ? `; the average request took ${formatMs(now_ms)}, ${formatMs(before_ms)} before` : ''
  return (
    <Entries
      title="Compared with the baseline"
      note={`${failed.length} newly failed, ${flaky.length} newly flaky, ${slower.length} slower${time}`}
      items={[...failed, ...flaky, ...slower]}
      isBrief
    />
  )
}
