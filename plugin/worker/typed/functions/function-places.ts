import type { ValuePath } from '../../../../src/suite/source-tree.ts'

/**
 * What a function stands for: a `value`, all entries of a `map`, a `condition` (true or false), or the condition of a
 * `scenario`, where JavaScript has to be marked.
 */
export type FunctionRole = 'value' | 'map' | 'condition' | 'scenario'

/** What may be a function, and whether there is a response when it is called. */
export type FunctionPlace = { role: FunctionRole; afterResponse: boolean }

const STEP = String.raw`(?:setup|steps|teardown)/\d+`
const BRANCH = String.raw`${STEP}/scenarios/\d+/(?:then|else)`
const JUDGED = `(?:${STEP}|${BRANCH}|defaults)`

const PLACES: readonly (readonly [pattern: RegExp, role: FunctionRole, when: 'before' | 'after'])[] = [
  [place(`${STEP}/request/(?:method|url|file|body)`), 'value', 'before'],
  [place(`${STEP}/request/(?:params|headers|form|multipart|body|graphql/variables)/.+`), 'value', 'before'],
  [place('defaults/(?:params|headers)/.+'), 'value', 'before'],
  [place(`${STEP}/request/(?:params|headers|form|multipart)`), 'map', 'before'],
  [place(`(?:${STEP}/request|defaults)/auth/[^/]+(?:/.+)?`), 'value', 'before'],
  [place(`${STEP}/variables/.+`), 'value', 'before'],
  [place(`${STEP}/skip(?:/when)?`), 'condition', 'before'],
  [place(`${STEP}/iterate/over`), 'value', 'before'],
  [place(`${STEP}/call/variables/.+`), 'value', 'before'],
  [place(String.raw`(?:${STEP}/)?retry/(?:on|until)`), 'condition', 'after'],
  [place(String.raw`${STEP}/scenarios/\d+/condition`), 'scenario', 'after'],
  [place(String.raw`${JUDGED}/assert/custom/\d+/condition`), 'condition', 'after'],
  [place(`${JUDGED}/assert/(?!custom(?:/|$)).+`), 'value', 'after'],
  [place(`(?:${STEP}|${BRANCH})/capture/[^/]+`), 'value', 'after'],
  [place(`${BRANCH}/variables/.+`), 'value', 'before'],
]

function place(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`, 's')
}

/** Finds what a function at a place of a definition stands for; undefined where none may be. */
export function findFunctionPlace(path: ValuePath): FunctionPlace | undefined {
  const text = path.join('/')
  const found = PLACES.find(([pattern]) => pattern.test(text))
  return found && { role: found[1], afterResponse: found[2] === 'after' }
}

const ASSERT = place(`${JUDGED}/assert`)
const VALUE = place(`(?:${STEP}|${BRANCH})/assert/(?:body|headers)(?:[.[/].*)?`)

/** True for the checks of a step or branch, or of all steps, as a whole. */
export function isAssert(path: ValuePath): boolean {
  return ASSERT.test(path.join('/'))
}

/** True where checks of a step or branch judge a value of the response. */
export function isJudged(path: ValuePath): boolean {
  const below = path.slice(path.indexOf('assert'))
  return VALUE.test(path.join('/')) && !below.some((key) => typeof key === 'number')
}
