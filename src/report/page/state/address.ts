import { useLayoutEffect, useState } from 'preact/hooks'
import type { ReportData, Entry, Kind } from './data.ts'

/** Filters of the list; an empty one lets everything through. */
export type Filter = { q: string; status: readonly Kind[]; tag: string; priority: string }

export const noFilter: Filter = { q: '', status: [], tag: '', priority: '' }

/** Everything in a link to share: the view and, after its `?`, the filters. */
export type Address = {
  hash: string
  entry: Entry | undefined
  filter: Filter
}

/** The current address, and a function that changes the filters in it. */
export function useAddress({ entries }: ReportData): Address & { setFilter: (filter: Filter) => void } {
  const [address, setAddress] = useState(() => readAddress(entries, noFilter))
  // Writes the address at once: any later, this could undo a step back in the history.
  const show = (next: Address): void => {
    setAddress(next)
    const set = Object.entries(next.filter).filter(([, value]) => value.length > 0)
    const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
    history.replaceState(null, '', next.hash + (query && `?${query}`))
  }
  // A layout effect: one after the first paint could miss a change of the address.
  useLayoutEffect(() => {
    // A link names only a view, so the filters stay.
    globalThis.onhashchange = () => show(readAddress(entries, address.filter))
  })
  return { ...address, setFilter: (filter) => show({ ...address, filter }) }
}

function readAddress(entries: readonly Entry[], filter: Filter): Address {
  const [hash = '', query] = (location.hash || '#/').split(/\?(.*)/s)
  const { status = '', ...texts } = Object.fromEntries(new URLSearchParams(query))
  const named = { ...noFilter, ...texts, status: status.split(',').filter(Boolean) as Kind[] }
  const entry = entries.find((one) => one.hash === hash)
  return { hash, entry, filter: query === undefined ? filter : named }
}
