import type { ValuePath } from '../../../../src/json.ts'

const STEP = String.raw`(?:setup|steps|teardown)/\d+`
const BRANCH = String.raw`${STEP}/scenarios/\d+/(?:then|else)`
const JUDGED = `(?:${STEP}|${BRANCH}|defaults)/assert`

/** Where functions may be, by what they stand for. */
const PLACES = {
  /** A value that is known before there is an answer. */
  value: place(
    `${STEP}/request/(?:method|url|file|body)`,
    `${STEP}/request/(?:params|headers|form|multipart|body|graphql/variables)/.+`,
    `defaults/(?:params|headers)/.+`,
    `(?:${STEP}/request|defaults)/auth/[^/]+(?:/.+)?`,
    `(?:${STEP}|${BRANCH}|${STEP}/call)/variables/.+`,
    `${STEP}/iterate/over`,
  ),
  /** All entries of a map. */
  map: place(`${STEP}/request/(?:params|headers|form|multipart)`),
  /** What a check expects of an answer, or a capture takes from it. */
  expected: place(`${JUDGED}/(?!custom(?:/|$)).+`, `(?:${STEP}|${BRANCH})/capture/[^/]+`),
  /** True or false. */
  condition: place(
    `${STEP}/skip(?:/when)?`,
    `(?:${STEP}/)?retry/(?:on|until)`,
    String.raw`${JUDGED}/custom/\d+/condition`,
  ),
  /** The condition of a scenario, where JavaScript has to be marked. */
  scenario: place(String.raw`${STEP}/scenarios/\d+/condition`),
}

/** What a function of a definition stands for. */
export type FunctionRole = keyof typeof PLACES

const ASSERT = place(JUDGED)
const VALUE = place(`(?:${STEP}|${BRANCH})/assert/(?:body|headers)(?:[.[/].*)?`)

function place(...patterns: string[]): RegExp {
  return new RegExp(`^(?:${patterns.join('|')})$`, 's')
}

/** Finds what a function at a place of a definition stands for; undefined where none may be. */
export function findRole(path: ValuePath): FunctionRole | undefined {
  const text = path.join('/')
  return (Object.keys(PLACES) as FunctionRole[]).find((role) => PLACES[role].test(text))
}

/** True for the checks of a step or branch, or of all steps, as a whole. */
export function isAssert(path: ValuePath): boolean {
  return ASSERT.test(path.join('/'))
}

/** True where checks of a step or branch judge a value of the response. */
export function isJudged(path: ValuePath): boolean {
  const below = path.slice(path.indexOf('assert'))
  return VALUE.test(path.join('/')) && !below.some((key) => typeof key === 'number')
}
