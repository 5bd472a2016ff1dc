import { describe, expect, test } from 'vitest'
import { loadSuite } from '../load-suite.ts'
import type { SuitePlan } from '../plan/plan.ts'

function load(text: string, variables: string[] = []): Promise<SuitePlan> {
  return loadSuite({ path: 'a.suite.yaml', text }, { folder: import.meta.dirname, variables })
}

/** A suite of steps with a text their requests read, and optional further fields. */
function suiteOf(...steps: [reads: string, more?: string][]): string {
  const list = steps.map(
    ([reads, more = ''], index) =>
      `  - name: s${index + 1}\n    request: { url: '/${reads}' }\n${more && `    ${more}\n`}`,
  )
  return `suite_name: S\nsteps:\n${list.join('')}`
}

const messages = async (text: string, variables?: string[]): Promise<string[]> =>
  (await load(text, variables)).warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)

test('a loop variable that a capture hides is a warning', async () => {
  const loop = 'iterate: { over: [a, b], as: user }'
  const capture = 'capture: { user: body.u }'
  expect(await messages(suiteOf(['{{user}}', `${loop}\n    ${capture}`]))).toEqual([
    '5:34 `user` is captured by `s1` on line 3, and captures take precedence: all later iterations read the captured value instead of their item. Give the loop variable or the capture another name.',
  ])
  expect(await messages(suiteOf(['', capture], ['{{user}}', loop]))).toHaveLength(1)
  expect(await messages(suiteOf(['{{user}}', loop], ['', capture]))).toEqual([])
})

test('the list of a loop cannot be read from what the step or the loop sets after it', async () => {
  const loop = "iterate: { over: ['{{list}}', '{{item}}'], as: item }"
  const roots = async (text: string): Promise<string[]> => (await load(text)).foreign.map(({ root }) => root)
  expect(await roots(suiteOf(['{{item}}{{index}}{{list}}', loop]))).toEqual(['list', 'list', 'item'])
  expect(await roots(suiteOf(['', 'capture: { list: body, item: body.i }'], ['', loop]))).toEqual([])
})

test('settings that all requests share may read what each step gives itself, and mocks of the suite may not', async () => {
  const settings = `base_url: 'https://{{stage}}.example.com'
defaults: { headers: { a: '{{who}}', b: '{{n}}{{index}}' }, assert: { body.id: '{{body.of}}' } }
mocks: [{ url: 'https://x/{{who}}' }]
retry: { max_attempts: 2, until: body.to === who }
`
  const roots = async (...steps: string[]): Promise<string[]> => {
    const text = suiteOf(...steps.map((more): [string, string] => ['', more]))
    return (await load(text.replace('steps:', `${settings}steps:`))).foreign.map(({ root }) => root)
  }
  const own = 'variables: { who: ann, stage: dev }\n    iterate: { over: [1], as: n }'
  expect(await roots(own, own)).toEqual(['who'])
  expect(await roots(own, 'variables: { who: bob }')).toEqual(['n', 'index', 'stage', 'who'])
  const calling = `suite_name: S\n${settings}steps: [{ name: a, call: { suite: other } }]`
  expect((await load(calling)).foreign.map(({ root }) => root)).toEqual(['stage', 'who', 'who'])
})

test('checks and captures of a message may read it, and what is sent may not', async () => {
  const expected = "expect: { to: '{{message.from}}' }, capture: { id: '{{js: message.id + 1}}' }"
  const exchange = `[{ ${expected} }, { send: '{{message}}' }]`
  const text = `suite_name: S\nsteps: [{ name: a, websocket: { url: 'ws://h', exchange: ${exchange} } }]`
  const start = text.lastIndexOf('message')
  expect((await load(text)).foreign).toMatchObject([{ root: 'message', range: [start, start + 7] }])
})

describe('a read before the step that captures', () => {
  const later = ['', 'capture: { token: body.t }'] as [string, string]

  test('is a warning at the name that is read', async () => {
    expect(await messages(suiteOf(['{{ok}}/{{ token.id }}'], later), ['ok'])).toEqual([
      '4:33 `token` is captured only later, by `s2` on line 5. Move that step up, or capture the value earlier.',
    ])
  })

  test('is a warning through variables of the suite, whose defaults hold from the start on', async () => {
    const variables = `variables: { who: 'user-{{token}}', both: '{{who}}', kept: "{{token || 'none'}}" }\n`
    const text = suiteOf(['{{both}}'], later, ['{{both}}/{{kept}}']).replace('steps:', `${variables}steps:`)
    expect(await messages(text)).toEqual([
      '5:25 `token`, which the variable `both` reads, is captured only later, by `s2` on line 6. Move that step up, or capture the value earlier.',
    ])
  })

  test('of a default is told at each request that needs another value', async () => {
    const defaults = "variables: { who: 'user-{{token}}' }\ndefaults: { headers: { x-user: '{{who}}' } }\n"
    const text = suiteOf([''], later, ['']).replace('steps:', `${defaults}steps:`)
    const hint = 'Write `headers: { x-user: null }` in this request.'
    const reads = '`token`, which the variable `who` of `defaults.headers` reads,'
    expect(await messages(text)).toEqual([
      expect.stringContaining(`${reads} is captured only later, by \`s2\` on line 7. ${hint}`),
      expect.stringContaining(`${reads} is set by this step itself, after its checks. ${hint}`),
    ])
  })

  test('is a warning in JavaScript too', async () => {
    expect(await messages(suiteOf(['{{js: variables.token.length}}'], later))).toEqual([
      expect.stringMatching(/^4:29 `token` is captured only later/),
    ])
  })

  test.each(["{{token || 'none'}}", '{{js: token ?? 1}}', "{{token ? 'a' : 'b'}}", '{{js: typeof token}}'])(
    'is fine where %s covers a missing value',
    async (read) => {
      expect(await messages(suiteOf([read.replaceAll("'", "''")], later))).toEqual([])
    },
  )

  test('is fine for what the runner, the plugin, a row, a loop or the response gives', async () => {
    const text = `suite_name: S
each: [{ user: a }]
steps:
  - name: s1
    iterate: { over: [1], as: item }
    request: { url: '/{{user}}/{{item}}/{{index}}/{{echo_url}}/{{app_url}}/{{global}}/{{js: Math.max(1)}}' }
    assert: { body: { code: '{{status_code}}', a: '{{js: body.b}}' } }
    capture: { user2: '{{js: request.url}}' }
  - name: s2
    request: { url: '/{{user2}}' }
`
    const plan = await load(text, ['global'])
    expect(plan.warnings).toEqual([])
    expect(plan.foreign).toEqual([])
  })

  test('is an error where a condition reads what its own step captures', async () => {
    const text = `suite_name: S
steps:
  - name: s1
    skip: n === 3
    request: { url: /x }
    capture: { n: length(body.items) }
    retry: { max_attempts: 2, until: n === 10 }
    assert: { custom: [{ condition: '!(n > 5)' }, { condition: typeof n === 'undefined' }] }
    scenarios: [{ condition: variables.n > \`5\`, then: { assert: { status_code: 200 } } }]
  - name: s2
    request: { url: '/x' }
    assert: { custom: [{ condition: n > 5 }] }
    capture: { n: body.n }
`
    const error: unknown = await load(text).catch((thrown: unknown) => thrown)
    const told = String(error).matchAll(/(\d+:\d+) error unknown-variable: (.*)/g)
    expect([...told].map(([, place, message]) => `${place} ${message}`)).toEqual(
      ['4:11', '7:38', '8:40', '9:30'].map(
        (place) => `${place} \`n\` is set by this step itself, after its checks.`,
      ),
    )
  })

  test('is a warning where a template reads what its own step captures', async () => {
    const text = suiteOf(['{{id}}', "capture: { id: body.id, twice: '{{id}}' }"])
    const told = '`id` is set by this step itself, after its checks.'
    const hint = 'Read the response itself, such as `body.id`, or capture the value in an earlier step.'
    expect(await messages(text)).toEqual([`4:25 ${told} ${hint}`, `5:39 ${told} ${hint}`])
  })

  test('is fine in loops, branches and WebSockets, which see what the step has captured so far', async () => {
    const text = `suite_name: S
steps:
  - { name: '{{next}}', iterate: { range: '1..3', as: n }, request: { url: '/{{next}}' }, capture: { next: body } }
  - name: s2
    request: { url: /x }
    scenarios:
      - condition: status_code == 200
        then: { capture: { total: body.total }, variables: { half: '{{js: total / 2}}' } }
  - name: s3
    websocket:
      url: ws://x.example/y
      exchange: [{ expect: { a: 1 }, capture: { id: message.id } }, { send: '{{id}}' }]
`
    expect(await messages(text)).toEqual([])
  })

  test('is fine in set-up for the steps, and in the steps for the teardown', async () => {
    const text = `suite_name: S
setup:
  - name: s1
    request: { url: /x }
    capture: { a: body.a }
steps:
  - name: s2
    request: { url: '/{{a}}' }
    capture: { b: body.b }
teardown:
  - name: s3
    request: { url: '/{{a}}/{{b}}' }
`
    expect(await messages(text)).toEqual([])
  })
})

describe('what a step reads', () => {
  test('includes what every request uses, conditions of all kinds, and what its variables read', async () => {
    const plan = await load(`suite_name: S
base_url: '{{host}}'
proxy: '{{gate}}'
tls: { passphrase: '{{pass}}' }
variables: { host: 'http://{{domain}}', domain: '{{js: captured.domain}}', header: 'Bearer {{token}}', gate: 'http://{{captured.gate}}' }
steps:
  - name: First
    request: { url: /x }
    capture: { captured: body, token: body.t, a: body.a, b: body.b, c: body.c, d: body.d, e: body.e, f: body.f, g: body.g, pass: body.p }
  - name: Second
    request: { url: /x, headers: { Authorization: '{{header}}' } }
    skip: a === 1
    retry: { max_attempts: 2, on: b > 1, until: 'variables.c' }
    assert:
      body: { x: '{{d}}' }
      custom: [{ condition: 'body.x === variables.e' }]
    scenarios:
      - condition: variables.f == body.x
        then: { assert: { custom: [{ condition: g > 1 }] } }
`)
    expect(plan.steps[1]?.reads.toSorted()).toEqual([
      'a',
      'b',
      'c',
      'captured',
      'd',
      'domain',
      'e',
      'f',
      'g',
      'gate',
      'header',
      'host',
      'pass',
      'token',
    ])
    expect(plan.warnings).toEqual([])
  })

  test('is not what its own variables hide, but what variables of the suite read by the same name', async () => {
    const [, second] = (
      await load(`suite_name: S
variables: { auth: 'Bearer {{token}}', path: '{{segment}}' }
steps:
  - { name: First, request: { url: /x }, capture: { token: body.t, segment: body.s } }
  - { name: Second, variables: { auth: none, segment: x }, request: { url: '/{{path}}/{{auth}}' } }
`)
    ).steps
    expect(second?.reads).toEqual(['path', 'segment'])
    expect(second?.needs).toEqual(['path', 'segment'])
  })

  test('is checked in the `proxy` and `tls` of the suite, too', async () => {
    const text = `${suiteOf([''])}proxy: '{{js: 1 +}}'\ntls: { passphrase: '{{js: )}}' }\n`
    await expect(load(text)).rejects.toThrow(/5:18 error bad-expression.*6:27 error bad-expression/s)
  })

  test('is not in its name, nor in texts that are not filled in', async () => {
    const custom = "custom: [{ name: '{{a}}', message: 'no {{b}}', condition: body.x > 1 }]"
    const then = `{ condition: body.x, name: '{{ … }}', then: { assert: { ${custom} } } }`
    const texts = `description: 'Not {{ filled in }}: {{c}}'\n    assert: { ${custom} }\n    scenarios: [${then}]`
    const capture = 'capture: { a: body.a, b: body.b, c: body.c, d: body.d }'
    const calling = "  - { name: 's3 {{d}}', call: { suite: other, step: 'Make {{d}}' } }\n"
    const { warnings, steps } = await load(`${suiteOf(['', capture], ['', texts])}${calling}`)
    expect(warnings).toEqual([])
    expect(steps.flatMap(({ reads, needs }) => reads.concat(needs))).toEqual([])
  })

  test('leaves out fields of a body that are called like conditions', async () => {
    const text = suiteOf(['', 'capture: { a: body.a }'], ['', 'variables: { skip: a, on: a, condition: a }'])
    const step =
      'request: { method: POST, url: /x, body: { skip: a, on: a, until: a, condition: a, when: a } }'
    const plan = await load(`${text}  - name: s3\n    ${step}\n`)
    expect(plan.steps.map(({ reads }) => reads)).toEqual([[], [], []])
  })

  test('reaches another suite with the name that is read there', async () => {
    const plan = await load(suiteOf(["{{auth.token}}/{{auth.user.id || ''x''}}/{{other}}"]))
    expect(plan.foreign).toMatchObject([
      { root: 'auth', name: 'token' },
      { root: 'auth', name: 'user', optional: true },
      { root: 'other' },
    ])
  })
})

describe('captures and exports', () => {
  test('a capture that nothing here reads is for whoever calls the suite', async () => {
    expect(await messages(suiteOf(['', 'capture: { used: body.a, spare: body.b }'], ['{{used}}']))).toEqual(
      [],
    )
  })

  test('an exported capture is read by others', async () => {
    const text = `${suiteOf(['', 'capture: { token: body.t }'])}exports: [token]\n`
    expect(await messages(text)).toEqual([])
  })

  test('an export that nothing gives is an error with the nearest name', async () => {
    const text = `${suiteOf(['', 'capture: { token: body.t }'])}exports: [tokn]\n`
    await expect(load(text)).rejects.toThrow(
      /6:11 error unknown-export: Nothing in this suite captures `tokn`\.\n {2}hint: Did you mean `token`\?/,
    )
  })

  test('what a branch of a scenario captures or sets counts as given', async () => {
    const branch =
      'scenarios: [{ condition: status_code == 200, then: { capture: { a: body.a } }, else: { variables: { b: 1 } } }]'
    const text = `${suiteOf(['', branch], ['{{a}}{{b}}'])}exports: [a, b]\n`
    expect(await messages(text)).toEqual([])
  })
})
