import { useLayoutEffect, useState } from 'preact/hooks'
import type { ReportData, Entry, Kind } from './data.ts'
import { noFilter, type Filter } from './filter.ts'

/** Everything in a link to share: the view and, after its `?`, the filters. */
export type Address = {
  hash: string
  /** The suite or step at this address. */
  entry: Entry | undefined
  filter: Filter
}

/** The current address, and a function that changes the filters in it. */
export function useAddress({ entries }: ReportData): Address & { setFilter: (filter: Filter) => void } {
  const [address, setAddress] = useState(() => readAddress(entries, noFilter))
  // A layout effect: one after the first paint could miss a change of the address.
  useLayoutEffect(() => {
    // A link names only a view, so the filters stay.
    addEventListener('hashchange', () => setAddress(({ filter }) => readAddress(entries, filter)))
  }, [entries])
  return { ...address, setFilter: (filter) => setAddress(complete({ ...address, filter })) }
}

/** The fragment, if the browser refuses to change the address: in a frame without one of its own (`srcdoc`), or after too many changes. */
let kept: string | undefined

/** Goes to a view at once: the next key may be pressed before the browser itself reports a new address. */
export function go(hash: string | null | undefined): void {
  const shown = kept ?? location.hash
  if (!hash || [shown, shown.split('?')[0]].includes(hash)) return
  setHash(hash, 'pushState')
  dispatchEvent(new Event('hashchange'))
}

function setHash(hash: string, how: 'pushState' | 'replaceState'): void {
  try {
    history[how](null, '', hash)
    kept = undefined
  } catch {
    kept = hash
  }
}

function readAddress(entries: readonly Entry[], filter: Filter): Address {
  const [hash = '', query] = (kept ?? (location.hash || '#/')).split(/\?(.*)/s)
  const { status = '', ...texts } = Object.fromEntries(new URLSearchParams(query))
  const named = { ...noFilter, ...texts, status: status.split(',').filter(Boolean) as Kind[] }
  const entry = entries.find((one) => one.hash === hash)
  return complete({ hash, entry, filter: query === undefined ? filter : named })
}

/** Writes the filters into the address bar as well. Any later, this could undo a step back in the history. */
function complete(address: Address): Address {
  const set = Object.entries(address.filter).filter(([, value]) => value.length > 0)
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
  setHash(address.hash + (query && `?${query}`), 'replaceState')
  return address
}
