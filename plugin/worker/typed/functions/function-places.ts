import type { ValuePath } from '../../../../src/json.ts'

const STEP = String.raw`(?:setup|steps|teardown)/\d+`
const REQUEST = String.raw`${STEP}/(?:request|stream/trigger|websocket/exchange/\d+/trigger)`
const BRANCH = String.raw`${STEP}/scenarios/\d+/(?:then|else)`
const JUDGED = `(?:${STEP}|${BRANCH}|defaults)/assert`
const PARTS = '(?:headers|cookies|xpath|css|responses|custom)'

const PLACES = {
  /** A value known before there is a response. */
  value: place(
    `${REQUEST}/(?:method|url|file)`,
    `${REQUEST}/(?:params|headers|form|multipart|body)(?:/.+)?`,
    `${REQUEST}/graphql/variables/.+`,
    `defaults/(?:params|headers)/.+`,
    `(?:${REQUEST}|defaults)/auth/[^/]+(?:/.+)?`,
    `(?:${STEP}|${BRANCH}|${STEP}/call)/variables/.+`,
    `${STEP}/iterate/over`,
  ),
  /** What a check expects of a response, or a capture takes from it. */
  expected: place(`${JUDGED}/(?!${PARTS}$|custom/).+`, `(?:${STEP}|${BRANCH})/capture/[^/]+`),
  condition: place(
    `${STEP}/skip(?:/when)?`,
    `(?:${STEP}/)?retry/(?:on|until)|${STEP}/stream/until`,
    String.raw`${JUDGED}/custom/\d+/condition`,
  ),
  /** The condition of a scenario. It is JMESPath unless it is written in `{{…}}`. */
  scenario: place(String.raw`${STEP}/scenarios/\d+/condition`),
}

export type FunctionRole = keyof typeof PLACES

const VALUE = place(`(?:${STEP}|${BRANCH})/assert/(?:(?:body|data|errors|events)(?:[.[/].*)?|headers[./].+)`)

function place(...patterns: string[]): RegExp {
  return new RegExp(`^(?:${patterns.join('|')})$`, 's')
}

/** Finds the role of a function from its place in a definition. Undefined where no function may be. */
export function findRole(path: ValuePath): FunctionRole | undefined {
  const text = path.join('/')
  return (Object.keys(PLACES) as FunctionRole[]).find((role) => PLACES[role].test(text))
}

/** True where the checks of a step or branch judge a value of the response. */
export function isJudged(path: ValuePath): boolean {
  const below = path.slice(path.indexOf('assert'))
  return VALUE.test(path.join('/')) && !below.some((key) => typeof key === 'number')
}
