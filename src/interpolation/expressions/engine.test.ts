import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Json, JsonObject } from '../../json.ts'
import { createEngine, evaluateCondition } from './engine.ts'
import { EngineError, TemplateError } from '../errors.ts'
import { setUserFunctions } from '../sandbox/extension-functions.ts'
import { answerSandbox } from '../sandbox/host-functions.ts'
import { createQuickjsGuest } from '../sandbox/quickjs-guest.ts'
import { createVmGuest } from '../sandbox/vm-guest.ts'
import { parseExpression } from '../syntax/expression.ts'
import { createPlainValues } from '../fixtures/plain-values.ts'
import { markHeaders } from '../header-names.ts'

const variables: JsonObject = {
  name: 'Ada',
  count: 3,
  price: 1.5,
  yes: true,
  nothing: null,
  user: { id: 7, roles: ['admin', 'dev'], 'full name': 'Ada L.' },
  list: [
    { id: 1, ok: true },
    { id: 2, ok: false },
  ],
  body: { json: { token: 't', items: [3, 1, 2] } },
  constructor: 'own',
  'auth-flow': { token: 'T' },
  headers: markHeaders({ 'x-powered-by': 'Koa', server: ['a', 'b'] }),
  request: { headers: markHeaders({ via: 'x' }), url: '/' },
  responses: [1, 9007199254740993n].map((id) => ({ headers: markHeaders({ server: 'x' }), id })) as Json,
  ...({
    big: 9007199254740993n,
    parts: { id: 9007199254740993n, list: [-9007199254740993n, 'n1', 's', 1] },
  } as object),
}

const values = createPlainValues(variables)
/** Engines that give an expression time, however busy the machine is. */
const engines = {
  vm: createEngine({ timeout: 20_000 }),
  quickjs: createEngine({ sandbox: 'quickjs', timeout: 20_000 }),
}
afterAll(() => Object.values(engines).forEach((engine) => engine.dispose()))

/** A source and its value; the same for every engine. */
const results: readonly (readonly [source: string, value: unknown])[] = [
  ['name', 'Ada'],
  ['1 + 2 * count', 7],
  ['name + "-" + count', 'Ada-3'],
  ['`${name}:${user.roles[0]}`', 'Ada:admin'],
  ['yes ? "on" : "off"', 'on'],
  ['missing || "default"', 'default'],
  ['missing?.a?.b ?? 5', 5],
  ['typeof missing', 'undefined'],
  ['typeof process + typeof require + typeof globalThis + typeof fetch', 'undefined'.repeat(4)],
  ['missing', undefined],
  ['undefined', undefined],
  ['nothing', null],
  ['nothing ?? "x"', 'x'],
  ['variables.user.id', 7],
  ['variables["full name"] === undefined && user["full name"]', 'Ada L.'],
  ['variables["auth-flow"].token', 'T'],
  ['Object.keys(variables).length', 15],
  ["['X-Powered-By', 'Server', 'Via'].map((name) => headers[name])", ['Koa', ['a', 'b'], null]],
  ["['Server', 'Via', 'toString'].map((name) => name in headers)", [true, false, false]],
  [
    '(({ Server, ...others }) => [Server[0], others])(headers)',
    ['a', { 'x-powered-by': 'Koa', server: ['a', 'b'] }],
  ],
  ["headers.hasOwnProperty('Via') || headers.hasOwnProperty('server')", true],
  [
    'responses.map((one) => [one.headers.Server, one.id])',
    [
      ['x', 1],
      ['x', 9007199254740993n],
    ],
  ],
  [
    "((sent) => [sent.headers['Via'], 'Via' in sent.headers, sent])(request)",
    ['x', true, { headers: { via: 'x' }, url: '/' }],
  ],
  ['headers', { 'x-powered-by': 'Koa', server: ['a', 'b'] }],
  ['list.filter(item => item.ok).map(item => item.id)', [1]],
  ['list.every(({ id }) => id > 0)', true],
  ['list.find(item => item.id === 2)', { id: 2, ok: false }],
  ['[...list.map(x => x.id), 3].reduce((sum, x) => sum + x, 0)', 6],
  ['user', { id: 7, roles: ['admin', 'dev'], 'full name': 'Ada L.' }],
  ['({ ...user, id: 8 }).id', 8],
  ['({ a: undefined, b: [undefined, 1] })', { b: [null, 1] }],
  ['body.json.items.toSorted((a, b) => a - b).join(",")', '1,2,3'],
  ['[...body.json.items].sort()', [1, 2, 3]],
  ['JSON.stringify(user.roles)', '["admin","dev"]'],
  ['JSON.parse("{\\"__proto__\\": 1, \\"a\\": 2}")', JSON.parse('{"__proto__": 1, "a": 2}')],
  ['new Date(0)', '1970-01-01T00:00:00.000Z'],
  ['new Date("2020-01-02T03:04:05Z").getTime()', 1577934245000],
  ['Math.max(1, count, 2)', 3],
  ['Number("12") + parseInt("7px", 10) + parseFloat("0.5")', 19.5],
  ['encodeURIComponent("a b&c")', 'a%20b%26c'],
  ['btoa("user:pass") + atob("aGk=")', 'dXNlcjpwYXNzhi'],
  ['crypto.sha256("abc")', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'crypto.hmacSha256("key", "The quick brown fox jumps over the lazy dog")',
    'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
  ],
  ['crypto.hash("sha1", "abc")', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['crypto.hash("sha256", "abc", "base64")', 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='],
  ['crypto.sha256("abc", "base64url")', 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0'],
  ['crypto.hmac("sha1", "key", "abc")', '4fd0b215276ef12f2b3e4c8ecac2811498b656fc'],
  ['crypto.hmac("sha1", "key", "abc", "base64")', 'T9CyFSdu8S8rPkyOysKBFJi2Vvw='],
  ['crypto.sha256({ base64: "/w==" }, "base64")', 'qBAK5qoZQNC2Y7sxzUZhQuu9vVGHExuS2TgYmHgy64k='],
  [
    'crypto.hmacSha256({ base64: "/w==" }, { base64: "/g==" }, "base64")',
    'NX6hUs+RpMwSXzgvVJkoMTP/y5jMAnDD0vtjXSr8J/4=',
  ],
  ['JSON.parse(atob("eyJhIjoifj8-In0"))', { a: '~?>' }],
  ['JSON.parse(decodeBase64("eyJhIjoiSsO8cmdlbiB-Pz4g8J-YgCJ9"))', { a: 'Jürgen ~?> 😀' }],
  ['[encodeBase64("Jürgen ~?>"), encodeBase64("ü~?>", "base64url")]', ['SsO8cmdlbiB+Pz4=', 'w7x-Pz4']],
  ['new URL("/cb?code=a%20b&n=1&n=2#x", "https://ann:pw@Api.test:8443").searchParams.get("code")', 'a b'],
  [
    '(({ href, origin, host, port, pathname, search, hash }) => [href, origin, host, port, pathname, search, hash])(new URL("HTTP://A.test:80/x?y#z"))',
    ['http://a.test/x?y#z', 'http://a.test', 'a.test', '', '/x', '?y', '#z'],
  ],
  [
    '(({ searchParams: p }) => [p.getAll("n"), p.has("n"), p.get("x"), `${p}`, [...p]])(new URL("a:b?n=1&n=%2B"))',
    [
      ['1', '+'],
      true,
      null,
      'n=1&n=%2B',
      [
        ['n', '1'],
        ['n', '+'],
      ],
    ],
  ],
  [
    '[`${new URL("https://a.test")}`, JSON.stringify({ u: new URL("https://a.test") })]',
    ['https://a.test/', '{"u":"https://a.test/"}'],
  ],
  [
    '[String(new URLSearchParams({ a: 1, b: "ü&" })), new URLSearchParams("a=1+2").get("a")]',
    ['a=1&b=%C3%BC%26', '1 2'],
  ],
  [
    '[new Map([["a", 1]]), [["b", 2]], new URLSearchParams("c=3")].map((init) => String(new URLSearchParams(init)))',
    ['a=1', 'b=2', 'c=3'],
  ],
  ['/^[0-9a-f-]{36}$/.test(crypto.randomUUID())', true],
  ['[crypto.randomInt(5) < 5, crypto.randomInt(3, 4)]', [true, 3]],
  ['10n ** 20n', 100000000000000000000n],
  ['[1.7e18, 2 ** 60]', [1.7e18, 2 ** 60]],
  ['big', 9007199254740993n],
  ['big === 9007199254740993n && big > 5 && typeof big', 'bigint'],
  ['big + 1n', 9007199254740994n],
  ['big - 9007199254740992n', 1],
  ['[9007199254740991n, -9007199254740991n]', [9007199254740991, -9007199254740991]],
  ['[9007199254740992n, -9007199254740992n]', [9007199254740992n, -9007199254740992n]],
  ['`id ${big}`', 'id 9007199254740993'],
  ['parts', { id: 9007199254740993n, list: [-9007199254740993n, 'n1', 's', 1] }],
  ['parts.list.map(x => x === -9007199254740993n)', [true, false, false, false]],
  [
    '(() => [parts.id, { a: [parts.list[0], "n"] }])()',
    [9007199254740993n, { a: [-9007199254740993n, 'n'] }],
  ],
  [
    'JSON.stringify([big, { big }, String(big)])',
    '[9007199254740993,{"big":9007199254740993},"9007199254740993"]',
  ],
  ['-0', 0],
  ['Object.is(-0, JSON.parse("0"))', false],
  ['[new Map([[1, 2]]).get(1), new Set([1, 1]).size]', [2, 1]],
  ['"a-b".replace(/-/, "$&+")', 'a-+b'],
  ['/(\\d+)-\\1/.test("12-12")', true],
  ['(() => { let total = 0; for (const { id } of list) total += id; return total })()', 3],
  ['(function fact(n) { return n < 2 ? 1 : n * fact(n - 1) })(5)', 120],
  ['constructor', 'own'],
  ['variables.constructor', 'own'],
  ['user.constructor', undefined],
  ['user.toString', undefined],
  ['user.__proto__', undefined],
  ['({}).constructor', undefined],
  ['name.constructor', undefined],
  ['(() => 1).constructor', undefined],
  ['toString', undefined],
  ['__proto__', undefined],
  ['user.hasOwnProperty("id")', true],
  ['"" + user', '[object Object]'],
  ['`${list}`', '[object Object],[object Object]'],
  [
    '(() => { try { null.x } catch (error) { return [error.name, error instanceof TypeError] } })()',
    ['TypeError', true],
  ],
  ['RegExp.$1', undefined],
  ['[RegExp.name, RegExp.length]', ['RegExp', 2]],
  [
    '["__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"].filter((name) => name in {})',
    [],
  ],
  [
    '[Error.captureStackTrace, Error.prepareStackTrace, Error.stackTraceLimit, Symbol.for, Symbol.keyFor].filter((it) => it !== undefined)',
    [],
  ],
  ['["caller", "arguments"].filter((name) => name in (() => 1))', []],
  ['typeof this', 'undefined'],
  ['count - 1 /* comment */', 2],
  ['(() => { var hoisted = 1; { let name = 2; return hoisted + name } })()', 3],
]

/** A source, and what its error or shown value contains. */
const failures: readonly (readonly [source: string, code: string, text: RegExp])[] = [
  ['missing.a', 'threw', /missing/],
  [
    'name.match(/(\\d)/)[1]',
    'threw',
    /^TypeError: .* \(there is no value before `\[1\]`, as `\.match\(…\)` found nothing; for a default, write `\?\.\[1\] \?\? 'none'`\)$/,
  ],
  [
    'user.name.match(/(\\d)/)[1]',
    'threw',
    /^TypeError: .* \(there is no value before `\.match`; for a default, write `\?\.match… \?\? 'none'`\)$/,
  ],
  ['nothing["a b"]', 'threw', /^TypeError: [^;]*$/],
  ['crypto.sha256(user)', 'threw', /expected a string, got object/],
  ['crypto.hmacSha256("k", undefined)', 'threw', /expected a string, got undefined/],
  ['btoa(null)', 'threw', /expected a string, got null/],
  ['btoa(() => 1)', 'threw', /expected a string, got function/],
  [
    'crypto.sha256("a", "latin1")',
    'threw',
    /hash: Expected the encoding to be hex, base64 or base64url, got `latin1`/,
  ],
  ['crypto.sha256({ base64: "a%b" })', 'threw', /hash: Expected `base64` to contain base64/],
  ['(() => { throw new Error("mine") })()', 'threw', /^Error: mine/],
  ['(() => { throw null })()', 'threw', /^null$/],
  ['(() => { throw Symbol("s") })()', 'threw', /Symbol\(s\)/],
  ['(() => { throw { code: 1 } })()', 'threw', /\{"code":1\}/],
  ['(() => { throw { get a() { throw 1 } } })()', 'threw', /a value that cannot be shown/],
  ['1 / 0', 'not_data', /Infinity/],
  ['missing * 2', 'not_data', /NaN/],
  ['() => 1', 'not_data', /a function/],
  ['Object.setPrototypeOf(() => 1, null)', 'not_data', /a function/],
  ['Symbol("s")', 'not_data', /a symbol/],
  ['({ a: [() => 1] })', 'not_data', /a function/],
  ['new Map([[1, 2]])', 'not_data', /a Map/],
  ['new Set([1])', 'not_data', /a Set/],
  ['/a/', 'not_data', /a regular expression/],
  ['new Error("x")', 'not_data', /an error/],
  ['new Date(NaN)', 'not_data', /an invalid date/],
  ['(async () => true)()', 'not_data', /a promise/],
  ['(() => { const a = {}; a.a = a; return a })()', 'not_data', /containing itself/],
  ['(() => { let a = []; for (let i = 0; i < 600; i++) a = [a]; return a })()', 'not_data', /500 levels/],
  ['(() => { let a = {}; for (let i = 0; i < 50000; i++) a = { a }; return a })()', 'not_data', /500 levels/],
  ['(() => { user.id = 8 })()', 'threw', /TypeError: .* \(data cannot be changed: copy it/],
  ['(() => { list[0].id = 5 })()', 'threw', /TypeError: .* \(data cannot be changed: copy it/],
  ['(() => { user.roles.push("x") })()', 'threw', /TypeError: .* \(data cannot be changed: copy it/],
  ['(() => { Math.max = () => 0 })()', 'threw', /TypeError/],
  ['(() => { Object.getPrototypeOf({}).bad = 1 })()', 'threw', /TypeError/],
  ['(() => { [].__proto__ = null; Object.getPrototypeOf([]).bad = 1 })()', 'threw', /TypeError/],
  ['(() => { delete JSON.parse })()', 'threw', /TypeError/],
  ['(function* () { while (true) yield 1 })().map(x => x).toArray()', 'threw|timeout|memory|crashed', /./],
  ['(function f() { return f() + 1 })()', 'threw', /stack/],
  ['(function f() { try { f() } finally { f() } })()', 'threw|timeout|memory|crashed', /./],
  ['new Proxy({}, {})', 'threw', /TypeError/],
  ['Promise.resolve(true)', 'threw', /`Promise`/],
  ['crypto.hash("nope", "x")', 'threw', /hash/],
  ['btoa("€")', 'threw', /btoa/],
  ['new URL("/x")', 'threw', /Expected an absolute URL, or one with a base as second argument/],
  ['new URLSearchParams(null)', 'threw', /expected a string, got null/],
  ['new URL(undefined)', 'threw', /expected a string, got undefined/],
  ['new URL("https://a.test").searchParams.append("a", 1)', 'threw', /not a function/],
  ['decodeBase64("*")', 'threw', /decodeBase64: Invalid character/],
  ['decodeBase64("/w==")', 'threw', /decodeBase64: The encoded data was not valid/],
  ['decodeBase64(null)', 'threw', /expected a string, got null/],
]

/** What only a limit ends. */
const endless = [
  '(() => { for (;;) try { [{ toString() { for (;;); } }].join() } catch {} finally { } })()',
  '/^(a+)+$/.test("a".repeat(40) + "b")',
  '({ get a() { while (true); }, toJSON() { while (true); } })',
  '(() => { throw new (class extends Error { get message() { while (true); } })() })()',
]

// All of quickjs is in a process that is ended from outside, whatever runs in it.
describe.each([
  ['vm', endless],
  ['quickjs', endless.slice(0, 1)],
] as const)('the %s engine', async (sandbox, unending) => {
  const engine = engines[sandbox]
  const impatient = createEngine({ sandbox, timeout: 20 })
  afterAll(() => impatient.dispose())
  afterEach(() => vi.useRealTimers())

  test.each([
    ['Date.now()', Date.parse('2031-05-06T07:08:09Z')],
    ['new Date()', '2031-05-06T07:08:09.000Z'],
    ['Date().includes("2031")', true],
    ['new (class extends Date {})().getUTCFullYear()', 2031],
    ['new Date().constructor.now()', Date.parse('2031-05-06T07:08:09Z')],
    ['[new Date() instanceof Date, Date.name, Date.length]', [true, 'Date', 7]],
    [
      '[new Date(2020, 1, 29).getDate(), Date.UTC(2020), Date.parse("2020-01-01")]',
      [29, 1577836800000, 1577836800000],
    ],
    ['new Date(undefined).getTime() + ""', 'NaN'],
  ])('tells the time of the process: %s', (source, value) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-05-06T07:08:09Z') })
    expect(engine.evaluate(source, values)).toEqual(value)
  })

  test.each(results)('evaluates %s', (source, value) => {
    // Strict, so that an object is one of this realm, and no part of the sandbox.
    expect(engine.evaluate(source, values)).toStrictEqual(value)
  })

  test.each(failures)('fails on %s', (source, code, text) => {
    // Code that only a limit ends gets a short one.
    const chosen = code.includes('timeout') ? impatient : engine
    const error = catchError(() => chosen.evaluate(source, values))
    expect(error.message).toMatch(text)
    expect(code.split('|')).toContain(error.code)
    expect(engine.evaluate('1 + 1', values)).toBe(2)
  })

  test.each(unending)('fails with the limit on %s', (source) => {
    const value = 'It ran longer than 20 ms (option `limits.expression`)'
    const outcome = evaluateCondition(impatient, source, values)
    expect(outcome).toEqual({ passed: false, value, failure: 'timeout' })
    expect(engine.evaluate('1 + 1', values)).toBe(2)
  })

  test.each([
    ['import("fs")', 'import()'],
    ['import.meta', 'import'],
    ['(() => import("node:fs"))()', 'import()'],
    ['await 1', 'Expected the end'],
    ['eval("1")', 'eval'],
    ['arguments', 'arguments'],
    ['(() => arguments)()', 'arguments'],
    ['1; 2', 'Expected the end'],
    ['a b', 'Expected the end'],
    ['', 'Expected an expression'],
    ['  ', 'Expected an expression'],
    ['(', 'not valid JavaScript'],
    ['1) + (1', 'Expected the end'],
    ['return 1', 'not valid JavaScript'],
    ['$env', '$env'],
    ['$faker.internet.email() + 1', '$faker'],
    ['`${import("fs")}`', 'import()'],
    ['class { static { import("fs") } }', 'import()'],
    ['010', 'not valid JavaScript'],
    ['with (a) {}', 'not valid JavaScript'],
    ['('.repeat(50_000), 'nested too deeply'],
    ['a' + '+a'.repeat(200_000), 'nested too deeply'],
  ])('refuses %s before running it', (source, text) => {
    expect(() => engine.evaluate(source, values)).toThrow(TemplateError)
    expect(() => engine.evaluate(source, values)).toThrow(text)
  })

  test('hides a script-only comment from neither parser', () => {
    const source = '1 <!-- ` \n + import("fs") + ` `'
    expect(() => engine.evaluate(source, values)).toThrow(/import|valid/)
  })

  test('reads new values of a changed variable, and the same object only once', () => {
    const layer: JsonObject = { n: 1, big: { a: 1 } }
    const live = createPlainValues(layer)
    expect(engine.evaluate('n + big.a', live)).toBe(2)
    layer['n'] = 2
    layer['big'] = { a: 5 }
    expect(engine.evaluate('n + big.a', live)).toBe(7)
  })

  test('holds more values than it keeps loaded', () => {
    const numbers = Array.from({ length: 1200 }, (_, i) => i)
    const many = createPlainValues(Object.fromEntries(numbers.map((i) => [`v${i}`, { i }])))
    const list = (from: number, to: number): string =>
      `[${numbers
        .slice(from, to)
        .map((i) => `v${i}.i`)
        .join()}]`
    for (let i = 0; i < 1200; i += 50)
      expect(engine.evaluate(list(i, i + 50), many)).toEqual(numbers.slice(i, i + 50))
    expect(engine.evaluate('Object.values(variables).reduce((sum, { i }) => sum + i, 0)', many)).toBe(719_400)
    expect(engine.evaluate(list(0, 1200), many)).toEqual(numbers)
    expect(engine.evaluate('v0.i', many)).toBe(0)
  })

  test('keeps working after more programs than it keeps', async () => {
    const guest = sandbox === 'vm' ? createVmGuest() : await createQuickjsGuest(answerSandbox, 32)
    const numbers = [...Array.from({ length: 5100 }, (_, i) => i), 5]
    const run = (number: number) => guest.evaluate(parseExpression(`${number} + 1`).program, [])
    expect(numbers.map(run)).toEqual(numbers.map((number) => ['value', number + 1]))
  })

  test('refuses data nested too deeply, and only when an expression reads it', () => {
    let deep: JsonObject = {}
    for (let i = 0; i < 20_000; i += 1) deep = { deep }
    const nested = createPlainValues({ deep, ok: 1 })
    expect(engine.evaluate('ok', nested)).toBe(1)
    expect(() => engine.evaluate('deep.deep', nested)).toThrow('500 levels')
    expect(engine.evaluate('ok + 1', nested)).toBe(2)
  })

  test('lets locals win over variables, variables over exports, and all over globals', () => {
    const scoped = {
      layers: [
        { body: 'variable', Math: 'mine' },
        { body: 'below', low: 1 },
      ],
      exports: { node: { x: 1 }, low: { x: 1 } },
      locals: { body: 'local' },
      env: { PORT: '80', constructor: 'c' },
    }
    const read = (source: string): unknown => engine.evaluate(source, scoped)
    expect(read('[body, variables.body, Math, low, node.x]')).toEqual(['local', 'variable', 'mine', 1, 1])
    expect(read('[$env.PORT, $env.NOPE ?? "none", $env.toString ?? "none"]')).toEqual(['80', 'none', 'none'])
    expect(read('Object.keys(variables).toSorted()')).toEqual(['Math', 'body', 'low', 'node'])
  })
})

describe('a condition', async () => {
  const check = (source: string) => evaluateCondition(engines.vm, source, values)

  test.each([
    ['count === 3', true, 'true'],
    ['count === 4', false, 'false'],
    ['1', false, '1'],
    ['[big]', false, '[9007199254740993]'],
    ['"true"', false, '"true"'],
    ['({})', false, '{}'],
    ['missing', false, 'undefined'],
    ['null', false, 'null'],
    ['NaN', false, 'NaN'],
    ['new Boolean(true)', false, 'an object that is not plain data'],
    ['() => true', false, 'a function'],
    ['(async () => true)()', false, 'a promise'],
    ['Symbol("x")', false, 'a symbol'],
  ])('%s passes: %s', (source, passed, value) => {
    expect(check(source)).toEqual({ passed, value })
  })

  test('that throws fails with the thrown value', () => {
    expect(check('(() => { throw new Error("a\\n::error::x") })()').value).toBe(
      String.raw`Error: a\n\x3a:error::x`,
    )
    expect(check('(() => { throw null })()')).toEqual({ passed: false, value: 'null', failure: 'threw' })
    expect(check('missing.x === 1').value).toMatch(/^TypeError: .*not defined here: `missing`/)
  })

  test('that gives a long value shows its start', () => {
    expect(check('"x".repeat(600)').value).toMatch(/^"x{490,500}…$/)
    expect(check('"x".repeat(400)').value).toBe(`"${'x'.repeat(400)}"`)
  })

  test('that misses names says which, but not those that it only reads members of', () => {
    const of = (source: string): string => check(`(() => { throw [${source}].join() })()`).value
    expect(of('missing, other.x, count, Math.x, variables.none, $env.NONE, missing?.y')).toMatch(
      /\(not defined here: `missing`, `other`(?:, `missing`)?\)$/,
    )
    expect(of('count, variables.none, $env.NONE, Math')).not.toContain('not defined')
  })

  test('that reads no JSON says so without a part of the text', () => {
    const message = "SyntaxError: Unexpected token 'h' in a string that is not valid JSON"
    expect(check('JSON.parse("hunter2-hunter2-hunter2-hunter2-hunter2-hunter2")').value).toBe(message)
  })

  test('that is not an expression is an error of the suite', () => {
    expect(() => check('count ==')).toThrow(TemplateError)
  })
})

test('a result that the quickjs sandbox has no memory left to hand over is told as that', async () => {
  const engine = createEngine({ sandbox: 'quickjs', timeout: 20_000 })
  for (const source of ['"a".repeat(1.2e7)', '"a".repeat(2 ** 29)'])
    expect(catchError(() => engine.evaluate(source, values)).message).toBe(
      'It needs more than 32 MB (option `limits.memory`)',
    )
  engine.dispose()
})

test('a result of more than 50,000,000 characters is refused', async () => {
  expect(catchError(() => engines.vm.evaluate('"a".repeat(5e7 + 1)', values)).message).toBe(
    'The result is a value of more than 50,000,000 characters, not data',
  )
})

describe('functions of the user', async () => {
  const engine = createEngine({ timeout: 20_000 })
  beforeAll(() =>
    setUserFunctions({
      count: (passed) => passed.length,
      first: ([one]) => one,
      show: ([list]) => (list as Json[]).map((item) => typeof item).join(),
      fail: () => {
        throw new Error('no such order')
      },
    }),
  )
  afterAll(() => setUserFunctions({}))

  test.each([
    ['count(1, "a", [2])', 3],
    ['show([9007199254740993n, 7n])', 'bigint,number'],
    [
      'first({ id: 7n, list: [new Date(0)], none: undefined })',
      { id: 7, list: ['1970-01-01T00:00:00.000Z'] },
    ],
    ['first("") === ""', true],
    ['typeof first()', 'undefined'],
    // User-defined functions run in this thread, however much the expression costs.
    ['Array.from({ length: 1e6 }, () => 1).length + count()', 1_000_000],
  ])('%s', (source, value) => {
    expect(engine.evaluate(source, createPlainValues({}))).toEqual(value)
  })

  test.each([
    ['fail()', /^Error: fail: no such order$/],
    ['(() => { first({ a: 1 }).a = 2 })()', 'copy it'],
    ['first(() => 1)', 'TypeError: first takes data only, got a function'],
    ['count(missing.x)', '(not defined here: `missing`)'],
  ])('%s fails', (source, text) => {
    expect(catchError(() => engine.evaluate(source, createPlainValues({}))).message).toMatch(text)
  })

  test('give way to variables of their name, and are gone when others come', () => {
    expect(engine.evaluate('count', createPlainValues({ count: 5 }))).toBe(5)
    setUserFunctions({ other: () => 1 })
    const error = catchError(() => engine.evaluate('count(1)', createPlainValues({})))
    expect(error.message).toContain('not defined here: `count`')
  })
})

test('a result that is no number says what may be missing', async () => {
  const messageOf = (source: string): string => catchError(() => engines.vm.evaluate(source, values)).message
  expect(messageOf('count * missing')).toBe(
    'The result is NaN, not data: a value in it is missing or is not a number',
  )
  expect(messageOf('1 / 0')).toBe('The result is Infinity, not data')
  expect(messageOf('(async () => 1)()')).toBe(
    'The result is a promise: `async` and `await` are not available',
  )
})

test('a process is replaced when it holds much data', async () => {
  const engine = createEngine({ timeout: 20_000, memoryLimit: 128 })
  await new Promise(setImmediate)
  let started = 0
  const note = (): void => void (started += 1)
  process.on('worker', note)
  for (const length of [8.1e6, 8.2e6, 1]) {
    const many = createPlainValues({ text: 'x'.repeat(length) })
    for (let i = 0; i < 2; i += 1) expect(engine.evaluate('(() => text.length)()', many)).toBe(length)
  }
  await new Promise(setImmediate)
  process.off('worker', note)
  engine.dispose()
  expect(started).toBe(2)
})

test.each([
  [1000, 1e4, 0],
  [20, 1e4, 1],
  [20_000, 2.7e5, 0],
  [20_000, 2.9e5, 1],
])(
  'with a limit of %i ms a text of %i characters is made in %i other processes, which end with the engine',
  async (timeout, length, started) => {
    const engine = createEngine({ timeout })
    // Wait for the events of workers that earlier tests have started.
    await new Promise(setImmediate)
    const ends: Promise<unknown>[] = []
    const note = (worker: Worker): void => void ends.push(once(worker, 'exit'))
    process.on('worker', note)
    evaluateCondition(engine, `"x".repeat(${length})`, createPlainValues({}))
    await new Promise(setImmediate)
    process.off('worker', note)
    expect(ends).toHaveLength(started)
    engine.dispose()
    await Promise.all(ends)
  },
)

test('works in a process that adds globals which cannot be removed', () => {
  // The contexts that are created while it is set have `gc`, as those of a process that was started with it.
  setFlagsFromString('--expose-gc')
  try {
    expect(runInNewContext('typeof gc')).toBe('function')
    expect(createEngine().evaluate('typeof gc + typeof this', createPlainValues({}))).toBe(
      'undefinedundefined',
    )
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
})

function catchError(evaluate: () => unknown): EngineError {
  try {
    evaluate()
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('It did not fail')
}
