import { runInNewContext } from 'node:vm'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { makeResponse } from '../assertion/fixtures/response.ts'
import type { Json, JsonObject } from '../json.ts'
import { scenariosSchema } from '../suite/schema/schema-flow.ts'
import { evaluateScenarios, type ScenarioContext } from './evaluate-scenarios.ts'
import { collectProblems } from '../assertion/fixtures/collect-problems.ts'
import { parseScenarios } from './scenario.ts'
import { defaultLimits } from '../limits.ts'

function read(tree: Json) {
  const place = collectProblems((path) => [path.length, 1])
  return { scenarios: parseScenarios(Array.isArray(tree) ? tree : [], place), problems: place.problems }
}

function run(yaml: string, overrides: Partial<ScenarioContext> = {}, isLenient = false) {
  const { scenarios, problems } = read(parse(yaml) as Json)
  expect(problems).toEqual([])
  const variables: JsonObject = overrides.variables ?? {}
  const context: ScenarioContext = { ...makeResponse(overrides), variables }
  return evaluateScenarios(scenarios, context, {
    isLenient,
    limits: defaultLimits,
    condition(source) {
      try {
        const value: unknown = runInNewContext(source, { ...context })
        return { passed: value === true, value: String(value) }
      } catch (error) {
        return { passed: false, value: String(error), failure: 'threw' }
      }
    },
  })
}

const outcome = (yaml: string, overrides: Partial<ScenarioContext> = {}, isLenient = false): string[] =>
  run(yaml, overrides, isLenient).meta.evaluations.map(
    ({ index, matched, executed, branch, assertions_added, captures_added }) =>
      [index, matched, executed, branch, assertions_added, captures_added].join(' '),
  )

const flow = `
- condition: status_code == \`401\`
  then: {assert: {body.error: x}}
  else: {variables: {denied: false}}
- condition: status_code == 200
  then: {assert: {body.json.token: {type: string, minLength: 3}}, capture: {token: body.json.token}}
  else: {variables: {never: 1}}
- condition: "{{js: status_code === 200}}"
  then: {assert: {status_code: 500}}`

test('the first match runs its then, earlier ones their else, later ones nothing', () => {
  const { branches, meta, failures } = run(flow)
  expect(failures).toEqual([])
  expect(
    branches.map(({ checks, captures, variables }) => [checks.length, captures.length, variables]),
  ).toEqual([
    [0, 0, { denied: false }],
    [2, 1, {}],
  ])
  expect(meta).toEqual({
    has_scenarios: true,
    executed_count: 2,
    evaluations: [
      {
        index: 1,
        condition: 'status_code == `401`',
        matched: false,
        executed: true,
        branch: 'else',
        assertions_added: 0,
        captures_added: 0,
        evaluated: true,
      },
      {
        index: 2,
        condition: 'status_code == 200',
        matched: true,
        executed: true,
        branch: 'then',
        assertions_added: 2,
        captures_added: 1,
        evaluated: true,
      },
      {
        index: 3,
        condition: '{{js: status_code === 200}}',
        matched: false,
        executed: false,
        branch: 'none',
        assertions_added: 0,
        captures_added: 0,
        evaluated: false,
      },
    ],
  })
})

test('without a match every else runs', () => {
  expect(outcome(flow, { status_code: 503 })).toEqual([
    '1 false true else 0 0',
    '2 false true else 0 0',
    '3 false false none 0 0',
  ])
})

test('every match runs where all do', () => {
  expect(outcome(flow, {}, true)).toEqual([
    '1 false true else 0 0',
    '2 true true then 2 1',
    '3 true true then 1 0',
  ])
})

test.for<[condition: string, matched: boolean]>([
  ['status_code', true],
  ['body.json.token', true],
  ['body.json.user', true],
  ['body.json.nope', false],
  ['`[]`', false],
  ["''", false],
])('where all matches run, what JMESPath calls true is one: %s', ([condition, matched]) => {
  const { meta } = run(`- condition: "${condition}"\n  then: {variables: {a: 1}}`, {}, true)
  expect(meta.evaluations[0]?.matched).toBe(matched)
})

test.for<[condition: string, why: string]>([
  ['{{js: nope.x}}', 'failed with `ReferenceError: nope is not defined`'],
  ['{{js: body.json.token()}}', 'failed with `TypeError: body.json.token is not a function`'],
  ['{{js: 1}}', 'gave `1`, which is neither true nor false'],
])('where all matches run, %s does not match, and says so', ([condition, why]) => {
  const yaml = `- condition: "${condition}"\n  then: {variables: {a: 1}}\n  else: {variables: {b: 1}}`
  const { branches, failures, warnings } = run(yaml, {}, true)
  expect([branches.map(({ variables }) => variables), failures]).toEqual([[{ b: 1 }], []])
  const message = `The condition \`${condition}\` does not match: it ${why}.`
  expect(warnings).toEqual([{ at: [2, 1], message }])
})

test.for<[condition: string, matched: boolean]>([
  ['status_code == 200', true],
  ['status_code == `200`', true],
  ['status_code >= 200 && status_code < 300', true],
  ["body.json.token == 'abc'", true],
  ['body.json.active == true', false],
  ['body.json.nope == null', true],
  ['headers.x-none == null', true],
  ['status_code == body.json.code', false],
  ['status_code != headers.content-type', true],
  ["headers.Content-Type == 'application/json'", true],
  ["variables.mode == 'full'", true],
  ["contains(headers.content-type, 'json')", true],
  ['!body.json.nope', true],
  ['body.json.nope > 5', false],
  ['body.json.nope', false],
  ['response_time_ms < 0.5', false],
  ['{{js: status_code === 200}}', true],
  ['{{ status_code > 300 }}', false],
  ['{{js: body.json.nope}}', false],
])('%s', ([condition, matched]) => {
  const yaml = `[{condition: ${JSON.stringify(condition)}, then: {variables: {a: 1}}}]`
  const { meta, failures } = run(yaml, { variables: { mode: 'full' } })
  expect(failures).toEqual([])
  expect(meta.evaluations[0]?.matched).toBe(matched)
})

test.for<[condition: string, words: string]>([
  [
    'body.json.token',
    'The condition `body.json.token` gave `"abc"` (string), which is neither true nor false; compare it, for example with `!= null`',
  ],
  [
    "body.json.token > 'a'",
    'The condition `body.json.token > \'a\'` compares `"abc"` (string) with `"a"` (string), but `>` needs numbers',
  ],
  [
    'length(body.json.nope) > 1',
    'The condition `length(body.json.nope) > 1` could not be evaluated: Invalid type: length() expected argument 1 to be type (string | array | object) but received type null instead.',
  ],
  [
    "body.json.user.id == '5'",
    'The condition `body.json.user.id == \'5\'` compares `5` (number) with `"5"` (string), which are never equal',
  ],
  [
    "status_code == '200'",
    'The condition `status_code == \'200\'` compares `200` (number) with `"200"` (string), which are never equal',
  ],
  ['{{js: nope.x}}', 'The condition `{{js: nope.x}}` failed with `ReferenceError: nope is not defined`'],
  ['{{js: (() => { throw null })()}}', 'The condition `{{js: (() => { throw null })()}}` failed with `null`'],
  ['{{js: 1}}', 'The condition `{{js: 1}}` gave `1`, which is neither true nor false'],
])('%s fails the step and runs no branch', ([condition, words]) => {
  const branch = '{variables: {a: 1}}'
  const yaml = `[{name: n, condition: ${JSON.stringify(condition)}, then: ${branch}, else: ${branch}}]`
  const { branches, failures, meta } = run(yaml)
  expect(branches).toEqual([])
  expect(meta).toMatchObject({ executed_count: 0, evaluations: [{ matched: false, executed: false }] })
  expect(failures).toEqual([{ at: [2, 1], message: words }])
})

test.each(['body.a == null', '{{js: body.a === undefined}}'])(
  '%s fails on a body that is not JSON',
  (condition) => {
    const { failures } = run(`[{condition: "${condition}", then: {variables: {a: 1}}}]`, {
      bodyError: 'not JSON',
    })
    expect(failures[0]?.message).toBe(`The condition \`${condition}\` could not be evaluated: not JSON`)
  },
)

test('locates checks and captures of a branch, and reports all problems below it', () => {
  const yaml = `
- condition: status_code == 200
  then: {assert: {body: {a: {type: strin}}}, capture: {t: "body."}, captures: {}}
  esle: {}
- condition: statuscode == 200
  then:
- then: {assert: {}}
  condition: "{{js: x y}}"
- condition: body.a == 1
- condition: 5
  else: {variables: 5}
- nothing`
  const { problems } = read(parse(yaml) as Json)
  expect(problems.map(({ path, message }) => `${path.join('.')}: ${message}`)).toMatchInlineSnapshot(`
    [
      "0.then.assert.body.a.type: Expected the \`type\` check of \`body.a\` to have one of string, number, integer, boolean, object, array, null, uuid, date, date-time, email, uri (did you mean \`string\`?), got \`"strin"\` (string).",
      "0.then.capture.t: \`body.\` is not a JMESPath expression: at character 6, it ends too early.",
      "1: This scenario does nothing.",
      "1.condition: A response has no \`statuscode\` (did you mean \`status_code\`?).",
      "2.then.assert: Expected \`assert\` to be a map of checks, got \`{}\` (object), which checks nothing.",
      "2.condition: The condition has an error at character 3: Expected the end of the expression, got \`y\`.",
      "3: This scenario does nothing.",
    ]
  `)
})

test('keeps a condition that reads what no response has, which is doubtful', () => {
  const tree = [{ condition: 'status == 200', else: { variables: { a: 1 } } }]
  const { scenarios, problems } = read(tree)
  expect(problems.map(({ severity }) => severity)).toEqual(['doubt'])
  expect(scenarios).toHaveLength(1)
})

test.for(['{}', '[]', '5', 'null', '[5]', '[{condition: " ", then: {variables: {a: 1}}}]'])(
  '%s is refused by the schema, and read as nothing',
  (yaml) => {
    const tree = parse(yaml) as Json
    expect(v.safeParse(scenariosSchema, tree).success).toBe(false)
    expect(read(tree)).toEqual({ scenarios: [], problems: [] })
  },
)

test.for<[condition: string, warning: string]>([
  [
    "body.json.tokn == 'abc'",
    "The condition `body.json.tokn == 'abc'` reads `tokn`, which is not there (did you mean `token`?).",
  ],
  [
    "body.json.user.id != '5'",
    'The condition `body.json.user.id != \'5\'` compares `5` (number) with `"5"` (string), which are never equal.',
  ],
])('a condition that may never match gives a warning: %s', ([condition, warning]) => {
  const { warnings } = run(`- condition: "${condition}"\n  then: {variables: {a: 1}}`)
  expect(warnings.map(({ message }) => message)).toEqual([warning])
})

test('a condition that takes either of two types fails for neither, and is told only where it does not match', () => {
  const either = (id: string): unknown => {
    const condition = `body.json.user.id == '${id}' || body.json.user.id == \`${id}\``
    const { meta, failures, warnings } = run(`- condition: "${condition}"\n  then: {variables: {a: 1}}`)
    return [meta.evaluations[0]?.matched, failures, warnings.length]
  }
  expect(either('5')).toEqual([true, [], 0])
  expect(either('7')).toEqual([false, [], 1])
})

test('a condition that asks for what may be missing gives none', () => {
  expect(run("- condition: body.error.code == 'x'\n  then: {variables: {a: 1}}").warnings).toEqual([])
})

test.each(['body[', '{{js: a b}}', 'js: body.ok = true'])(
  'the scenario of a condition that does not parse is left out, which is how compat goes on: %s',
  (condition) => {
    const then = { assert: { status_code: 200 } }
    const { scenarios, problems } = read([
      { condition, then },
      { condition: 'status_code == 200', then },
    ])
    expect(problems).toHaveLength(1)
    expect(scenarios.map((each) => each.condition)).toEqual(['status_code == 200'])
  },
)

test.each<JsonObject>([{ thn: {} }, { nme: 'n' }, { then: {} }, { else: {} }])(
  'a scenario without a branch is told: %j',
  (scenario) => {
    const problem = {
      path: [0],
      code: 'missing-field',
      message: 'This scenario does nothing.',
      hint: 'Give it a `then` or an `else` with `assert`, `capture` or `variables`.',
    }
    expect(read([{ condition: 'status_code == 200', ...scenario }]).problems).toEqual([problem])
  },
)
