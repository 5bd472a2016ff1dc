import { useLayoutEffect, useState } from 'preact/hooks'
import type { Data, Entry, Kind } from './data.ts'
import { noFilter, type Filter } from './filter.ts'

/** What the main pane shows: a suite or a step, or what else has an address. */
export type Route = { hash: string; entry?: Entry | undefined }

/** The address bar holds all that one would send to somebody: the view, and the filters behind its `?`. */
export type Address = { route: Route; filter: Filter }

/** The current address, and functions that go elsewhere and change the filters. */
export function useAddress(data: Data): Address & {
  go: (hash: string | undefined) => void
  setFilter: (filter: Filter) => void
} {
  const [address, setAddress] = useState(() => complete(readAddress(data, noFilter)))
  // A change of the address between the first paint and an effect after it would be missed.
  useLayoutEffect(() => {
    // A link names a view only: the filters stay.
    const follow = (): void => setAddress(({ filter }) => complete(readAddress(data, filter)))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [data])
  const go = (hash: string | undefined): void => {
    if (hash === undefined || hash === address.route.hash) return
    history.pushState(null, '', hash)
    setAddress(complete(readAddress(data, address.filter)))
  }
  const setFilter = (filter: Filter): void => setAddress(complete({ ...readAddress(data, filter), filter }))
  return { ...address, go, setFilter }
}

/** Writes to the address bar what it lacks. Done later, this would undo a step back that came in between. */
function complete(address: Address): Address {
  history.replaceState(null, '', writeHash(address))
  return address
}

function readAddress({ places }: Data, filter: Filter): Address {
  const [hash = '', query] = (location.hash || '#/').split(/\?(.*)/s)
  const entry = places.get(decode(hash))
  return {
    route: { hash: entry?.hash ?? hash, entry },
    filter: query === undefined ? filter : readFilter(query),
  }
}

function decode(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    // A hand-written address with a stray `%` names nothing of ours.
    return hash
  }
}

function readFilter(query: string): Filter {
  const { q = '', status = '', tag = '', priority = '' } = Object.fromEntries(new URLSearchParams(query))
  return { q, status: status.split(',').filter(Boolean) as Kind[], tag, priority }
}

function writeHash({ route, filter }: Address): string {
  const set = Object.entries(filter).filter(([, value]) => value.length > 0)
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
  return route.hash + (query && `?${query}`)
}
