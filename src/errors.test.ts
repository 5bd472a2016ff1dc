import { expect, test } from 'vitest'
import { describeProblem, isSaidAtLoad, readProblems, SuiteError, type LocatedProblem } from './errors.ts'

const problem: LocatedProblem = {
  code: 'bad-value',
  severity: 'error',
  message: 'Expected `a\x1b[31m` to be b.',
  hint: 'Write\u202e b.',
  range: [0, 1],
  file: 'x\x07.yaml',
  at: [1, 2],
  written: { source: { path: 'x.yaml', text: 'a' }, range: [0, 1] },
  frame: '> 1 | a',
}

test('a problem is printed with place, code, hint and frame, and without raw control characters', () => {
  expect(describeProblem(problem)).toBe(
    'x\\x07.yaml:1:2 error bad-value: Expected `a\\x1b[31m` to be b.\n  hint: Write\\u202e b.\n> 1 | a',
  )
})

test('errors come before warnings, whatever their places', () => {
  const warning: LocatedProblem = { ...problem, severity: 'warning' }
  const other = { ...problem, code: 'bad-key' as const }
  const error = new SuiteError('x.yaml', [warning, problem, warning, other])
  expect(error.problems).toEqual([problem, other, warning, warning])
  expect(error.message).toMatch(/^\S+ error /)
})

test('an error carries all problems and prints the first fifty', () => {
  const error = new SuiteError(
    'x.yaml',
    Array.from({ length: 60 }, () => problem),
  )
  expect(error.problems).toHaveLength(60)
  expect(error.message.match(/bad-value/g)).toHaveLength(50)
  expect(error.message).toMatch(/… and 10 more problems in this file\.$/)
})

test('the errors of a message can be read back with their places; warnings and frames are left out', () => {
  const other: LocatedProblem = { ...problem, severity: 'warning' }
  const { hint: _hint, ...plain } = problem
  const { message } = new SuiteError('x.yaml', [problem, other, plain])
  expect(readProblems(message)).toEqual([
    {
      file: String.raw`x\x07.yaml`,
      line: 1,
      column: 2,
      text: describeProblem(problem).replace(/\n>.*$/, ''),
    },
    { file: String.raw`x\x07.yaml`, line: 1, column: 2, text: describeProblem(plain).replace(/\n>.*$/, '') },
  ])
  expect(readProblems('ENOENT: no such file')).toEqual([])
})

test.for<[source: string, line: number, isSaid: boolean]>([
  ['a.b.c', 3, true],
  ['js: variables.a.b', 3, true],
  ["js: variables['a.b'] + 1", 3, true],
  ['js: variables.a.bc', 3, false],
  ['js: data.b', 3, false],
  ['js: variables.a.b', 4, false],
])('a step does not repeat what was said of a name in `%s` on line %s: %s', ([source, line, isSaid]) => {
  const said = 'Nothing gives `a.b` a value: `a` is not a variable. Define it in `variables`.'
  const warning = { message: `\`${source}\` has no value. It is sent as written.`, line, column: 9 }
  expect(isSaidAtLoad(warning, [{ message: said, line: 3, column: 1 }])).toBe(isSaid)
})
