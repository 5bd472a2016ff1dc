// Compares the speed of suites with hand-written tests and a bare script: `npm run bench`, or `npm run bench -- W1 W3 waiting loading imports scale soak`;
// `npm run bench -- --peers` adds other runners.
// All candidates of a workload run in turn, round after round, against one echo server. Only ratios within one run mean anything.
import type { Place } from './measure.ts'
import { benchImports, benchLoading, benchScale, benchSoak } from './parts.ts'
import { benchPeers } from './peers.ts'
import { createProject } from './project.ts'
import { startServer } from '../server/index.ts'
import { benchWorkload } from './series.ts'
import { WORKLOADS } from './workloads.ts'

/** The parts of the bench. Each resolves to the number of targets that it misses. */
const parts: Record<string, (place: Place) => Promise<number>> = {
  imports: benchImports,
  loading: benchLoading,
  scale: benchScale,
  soak: benchSoak,
}
for (const [name, workload] of Object.entries(WORKLOADS))
  parts[name] = (place) => benchWorkload(name, workload, place)
const usually = Object.keys(parts)
parts['--peers'] = benchPeers

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`Expected names out of ${Object.keys(parts).join(', ')}, got \`${unknown.join(' ')}\`.`)
  process.exit(2)
}
// This process only waits while others are measured.
await using echo = await startServer()
await using project = await createProject()
let missed = 0
for (const name of asked.length > 0 ? asked : usually)
  missed += (await parts[name]?.({ folder: project.path, url: echo.url })) ?? 0
console.log(missed === 0 ? '\nAll targets are met.' : `\n${missed} targets are missed.`)
