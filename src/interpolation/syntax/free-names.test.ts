import { expect, test } from 'vitest'
import { findFreeNames } from './free-names.ts'
import { parseJavaScript } from './javascript.ts'

test.for<[source: string, names: string[]]>([
  ['a + b.c', ['a', 'b.c']],
  ['typeof a', ['a asked']],
  ['a ?? 1', ['a asked']],
  ['a || 1', ['a filled']],
  ['a && 1', ['a']],
  ['1 || a', ['a']],
  ['a.b ?? c', ['a.b asked', 'c']],
  ['a === undefined', ['a compared', 'undefined']],
  ['null != a.b || c', ['a.b compared filled', 'c']],
  ['b !== null && null === b', ['b', 'b']],
  ['a + b === undefined || c[d] === null', ['a filled', 'b filled', 'c', 'd', 'undefined filled']],
  ['a === b', ['a', 'b']],
  ['a ? b : c', ['a filled', 'b', 'c']],
  ['(a || b) && c', ['a filled', 'b', 'c']],
  ['(a && b) || c', ['a filled', 'b filled', 'c']],
  ['list.map((x) => x.id + y)', ['list.map', 'y']],
  ['[1].map(({ a, b: [c] = [d] }) => a + c + e)', ['d', 'e']],
  ['a[0]["b c"][d].e', ['a.0.b c', 'd']],
  ['({ a, b: c, [d]: 1 })', ['a', 'c', 'd']],
])('%s reads %s', ([source, names]) => {
  const found = findFreeNames(parseJavaScript(source).node)
  const shown = found.map(({ name, path, gap, isCompared }) =>
    [[name, ...path].join('.'), isCompared && 'compared', gap].filter(Boolean).join(' '),
  )
  expect(shown.toSorted()).toEqual(names.toSorted())
})
