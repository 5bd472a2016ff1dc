import { useEffect, useState } from 'preact/hooks'
import type { Data, StepEntry } from './data.ts'

/** What the main pane shows. */
export type Route =
  | { view: 'overview' }
  | { view: 'suite'; suite: number }
  | { view: 'step'; suite: number; place: number }

export const overview: Route = { view: 'overview' }

/** Writes the address of a view; names make it survive a new run, `~2` tells namesakes apart. */
export function toHash(route: Route, data: Data): string {
  if (route.view === 'overview') return '#/'
  if (route.view === 'suite') return `#/suite/${encodeURIComponent(nameSuite(route.suite, data))}`
  const step = data.steps[route.suite]?.[route.place] as StepEntry
  return `#/step/${encodeURIComponent(nameSuite(route.suite, data))}/${encodeURIComponent(nameStep(step, data))}`
}

/** Reads an address; anything unknown is the overview. */
export function fromHash(hash: string, data: Data): Route {
  const [view, suiteName, stepName] = hash.replace(/^#\/?/, '').split('/').map(decode)
  const suite = findNamed(
    data.suites.map((one) => one.node_id),
    suiteName ?? '',
  )
  if (suite === -1) return overview
  if (view === 'suite') return { view, suite }
  const place = findNamed((data.steps[suite] ?? []).map(bareId), stepName ?? '')
  return view === 'step' && place !== -1 ? { view, suite, place } : overview
}

function nameSuite(suite: number, { suites }: Data): string {
  return nameOf(
    suites.map((one) => one.node_id),
    suite,
  )
}

function nameStep(step: StepEntry, { steps }: Data): string {
  return nameOf((steps[step.suite] ?? []).map(bareId), step.place)
}

function bareId(step: StepEntry): string {
  return step.id.slice(step.id.indexOf('::') + 2)
}

function nameOf(ids: readonly string[], index: number): string {
  const id = ids[index] as string
  const before = ids.slice(0, index).filter((other) => other === id).length
  return before === 0 ? id : `${id}~${before + 1}`
}

function findNamed(ids: readonly string[], name: string): number {
  const exact = ids.indexOf(name)
  const numbered = /^(.*)~(\d+)$/s.exec(name)
  if (exact !== -1 || !numbered) return exact
  const same = ids.flatMap((id, index) => (id === numbered[1] ? [index] : []))
  return same[Number(numbered[2]) - 1] ?? -1
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A hand-written address with a stray `%` names nothing of ours.
    return part
  }
}

/** The current view, following the address bar, and a function that goes elsewhere. */
export function useRoute(data: Data): [Route, (route: Route) => void] {
  const [route, setRoute] = useState(() => fromHash(location.hash, data))
  useEffect(() => {
    const follow = (): void => setRoute(fromHash(location.hash, data))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [data])
  return [
    route,
    (next) => {
      setRoute(next)
      const hash = toHash(next, data)
      if (hash !== location.hash) history.pushState(null, '', hash)
    },
  ]
}
