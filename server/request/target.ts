import { decodePercent } from './percent.ts'

/** The parts of a request target. */
export interface Target {
  /** Decoded path: what routes are matched against. */
  path: string
  /** The query as received, without `?`. */
  query: string
}

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** Splits a request target (RFC 9112, 3.2); of an absolute one the origin is left out, a fragment always. */
export function parseTarget(url: string): Target {
  let rest = url.charCodeAt(0) === 47 ? url : url.replace(ABSOLUTE, '')
  const fragment = rest.indexOf('#')
  if (fragment >= 0) rest = rest.slice(0, fragment)
  const question = rest.indexOf('?')
  const path = question < 0 ? rest : rest.slice(0, question)
  return { path: decodePercent(path) || '/', query: question < 0 ? '' : rest.slice(question + 1) }
}
