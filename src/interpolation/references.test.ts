import { expect, test } from 'vitest'
import { findExpressionReferences, findReferences } from './references.ts'
import { parseExpression } from './syntax/expression.ts'
import { parseTemplate } from './template.ts'

test('every kind of template says what it reads and where', () => {
  const text = '{{a.b}} {{js: c.d + variables.e.f}} {{$env.HOME}} {{$faker.internet.email}} {{$env.X || g}}'
  expect(findReferences(parseTemplate(text))).toEqual([
    { root: 'a', path: ['b'], kind: 'reference', offset: 2 },
    { root: 'c', path: ['d'], kind: 'expression', offset: 14 },
    { root: 'e', path: ['f'], kind: 'expression', offset: 20 },
    { root: 'HOME', path: [], kind: 'env', offset: 38 },
    { root: 'internet.email', path: [], kind: 'faker', offset: 52 },
    { root: 'X', path: [], kind: 'env', offset: 78, gap: 'filled' },
    { root: 'g', path: [], kind: 'expression', offset: 88 },
  ])
})

test.each([
  ['a', ['a']],
  ['a.b[0]["c"].d', ['a.b.0.c.d']],
  ['a?.b?.[0]', ['a.b.0']],
  ['a[b.c].d', ['b.c', 'a']],
  ['a.b[c].d', ['c', 'a.b']],
  ['(a).b', ['a.b']],
  ['a.b().c', ['a.b']],
  ['variables', ['variables']],
  ['variables[x]', ['x', 'variables']],
  ['variables["auth-flow"].token', ['auth-flow.token']],
  ['Math.max(a, b)', ['a', 'b']],
  ['({ a, b: c, [d]: e, ...f })', ['a', 'c', 'd', 'e', 'f']],
  ['[a, ...b]', ['a', 'b']],
  ['`${a}${b.c}`', ['a', 'b.c']],
  ['a => a + b', ['b']],
  ['({ a, b: [c = d] }, ...e) => a + c + e + b', ['d', 'b']],
  ['list.map(({ id }) => id + prefix)', ['list.map', 'prefix']],
  ['(function f(n) { return f(n) + g })', ['g']],
  ['(() => { let a = b; const { c } = a; return c + d })', ['b', 'd']],
  ['(() => { if (x) { var a = 1 } return a })', ['x']],
  ['(() => { for (const a of b) c(a); for (let i = 0; i < n; i++); return i })', ['b', 'c', 'n']],
  ['(() => { try { a } catch ({ message }) { message } catch_ })', ['a', 'catch_']],
  ['(() => { f(); function f() { return g } })', ['g']],
  ['(() => { switch (a) { case b: let c = 1; return c } })', ['a', 'b']],
  ['(() => { outer: for (;;) { break outer } })', []],
  [
    '(class A extends B { x = c; [d] = e; static { A; f } m(a) { return a + g } })',
    ['B', 'c', 'd', 'e', 'f', 'g'],
  ],
  ['x = a', ['x', 'a']],
  ['typeof a', ['a']],
])('%s reads %j', (source, names) => {
  const found = findExpressionReferences(parseExpression(source))
  expect(found.map(({ root, path }) => [root, ...path].join('.'))).toEqual(names)
})
