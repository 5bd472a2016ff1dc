// Compares the speed of suites with hand-written tests and a bare script: `npm run bench`, or `npm run bench -- W1 W3 waiting app loading imports scale soak`;
// `npm run bench -- --peers` adds other runners.
// All candidates of a workload run in turn, round after round, against one echo server. Only ratios within one run mean anything.
import { join } from 'node:path'
import { benchImports } from './imports.ts'
import { benchLoading } from './loading.ts'
import { benchPeers } from './peers.ts'
import { printSeries } from './print.ts'
import { createProject } from './project.ts'
import { benchScale } from './scale.ts'
import { runSeries } from './series.ts'
import { startServerProcess } from './server-process.ts'
import { benchSoak } from './soak.ts'
import { WORKLOADS } from './workloads.ts'

/** A part of the bench. Resolves to the number of targets that it misses. */
type Part = (place: { folder: string; url: string }) => Promise<number>

const parts: Record<string, Part> = {
  imports: benchImports,
  loading: benchLoading,
  scale: benchScale,
  soak: benchSoak,
}
for (const [name, workload] of Object.entries(WORKLOADS))
  parts[name] = async (place) =>
    printSeries(name, workload, await runSeries(workload, { ...place, folder: join(place.folder, name) }))

parts['--peers'] = benchPeers

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`Expected names out of ${Object.keys(parts).join(', ')}, got \`${unknown.join(' ')}\`.`)
  process.exit(2)
}
const echo = await startServerProcess('suitecase')
const project = await createProject()
let missed = 0
try {
  for (const [name, part] of Object.entries(parts))
    if (asked.length === 0 ? name !== '--peers' : asked.includes(name))
      missed += await part({ folder: project.folder, url: `http://127.0.0.1:${echo.port}` })
} finally {
  echo.stop()
  await project.remove()
}
console.log(missed === 0 ? '\nAll targets are met.' : `\n${missed} targets are missed.`)
