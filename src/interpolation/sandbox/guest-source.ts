import { maxDepth } from '../../json.ts'
import { documentedGlobals } from './extension-functions.ts'

/**
 * The program that prepares a sandbox in any engine. It evaluates to a function that takes the host's answer
 * function, removes or freezes what an expression must not see or change, and returns the calls of a `Guest`.
 * Only primitives cross the border, and sandbox values that the host hands back.
 */
export const guestSource = String.raw`(function (host) {
'use strict'
const root = globalThis
const {
  Array, BigInt, Boolean, Error, Intl, JSON, Map, Math, Number, Object, Proxy, RangeError, Reflect, RegExp, Set, String,
  Symbol, SyntaxError, TypeError,
} = root
const { freeze, setPrototypeOf, getPrototypeOf, defineProperty, getOwnPropertyDescriptors, create, hasOwn, isFrozen, keys } = Object
const { apply, construct, deleteProperty, ownKeys } = Reflect
const { parse, stringify, rawJSON } = JSON
const { isArray } = Array
const ObjectPrototype = Object.prototype
const RealDate = root.Date
const { getTime, toISOString } = RealDate.prototype
const { toLowerCase } = String.prototype

// --- what expressions may use ---------------------------------------------------------------------------------------
const ask = (name, ...passed) => {
  let answer = '!' + name + ' failed'
  try { answer = host(name, ...passed.map(String)) } catch { /* a host error must not be seen: the text above counts */ }
  if (answer[0] !== '=') throw new (name === 'call' ? Error : TypeError)(answer.slice(1))
  return answer.slice(1)
}
// Without this check, the hash would be that of "undefined" or "[object Object]".
const text = (value) => {
  if (value === null || value === undefined || typeof value === 'object' || typeof value === 'function')
    throw new TypeError('expected a string, got ' + (value === null ? 'null' : typeof value))
  return value
}
// What is hashed: a text, or bytes that are given as { base64: text }.
const bytes = (value) => (typeof value?.base64 === 'string' ? 'base64:' + value.base64 : 'utf8:' + text(value))
const crypto = {
  randomUUID: () => ask('randomUUID'),
  randomInt: (low, high) => +(high === undefined ? ask('randomInt', 0, low) : ask('randomInt', low, high)),
  hash: (algorithm, value, encoding = 'hex') => ask('hash', algorithm, bytes(value), encoding),
  hmac: (algorithm, key, value, encoding = 'hex') => ask('hmac', algorithm, bytes(key), bytes(value), encoding),
  sha256: (value, encoding = 'hex') => ask('hash', 'sha256', bytes(value), encoding),
  hmacSha256: (key, value, encoding = 'hex') => ask('hmac', 'sha256', bytes(key), bytes(value), encoding),
}
// The host's time, not that of the engine: a suite may have its own clock.
const now = () => +ask('now')
const Date = function Date(...passed) {
  if (!new.target) return String(construct(RealDate, [now()]))
  return construct(RealDate, passed.length === 0 ? [now()] : passed, new.target)
}
defineProperty(Date, 'length', { value: 7 })
defineProperty(Date, 'prototype', { value: RealDate.prototype })
for (const [name, value] of [['now', now], ['parse', RealDate.parse], ['UTC', RealDate.UTC]]) defineProperty(Date, name, { value })
defineProperty(Date.prototype, 'constructor', { value: Date })
const btoa = (value) => ask('btoa', text(value))
const atob = (value) => ask('atob', text(value))
const decodeBase64 = (value) => ask('decodeBase64', text(value))
const encodeBase64 = (value, encoding = 'base64') => ask('encodeBase64', text(value), encoding)
// To read an address, not to change one.
class URLSearchParams {
  #pairs
  constructor(init = '') {
    const isText = typeof init !== 'object' || init === null
    this.#pairs = parse(ask('params', stringify(isText ? text(init) : Symbol.iterator in init ? [...init] : init)))
  }
  getAll(name) { return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value) }
  get(name) { return this.getAll(name)[0] ?? null }
  has(name) { return this.getAll(name).length > 0 }
  toString() { return ask('query', stringify(this.#pairs)) }
  [Symbol.iterator]() { return this.#pairs[Symbol.iterator]() }
}
class URL {
  constructor(value, ...base) {
    Object.assign(this, parse(ask('URL', text(value), ...base)))
    this.searchParams = freeze(new URLSearchParams(this.search))
    freeze(this)
  }
  toString() { return this.href }
  toJSON() { return this.href }
}
const documented = { __proto__: null }
for (const name of parse('${JSON.stringify([...documentedGlobals])}')) documented[name] = root[name]
Object.assign(documented, { Date, atob, btoa, crypto, decodeBase64, encodeBase64, URL, URLSearchParams })
// User-defined functions stay outside; data goes there and comes back as JSON, with integers of any size.
const keepDigits = (key, value, { source }) => (/^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? BigInt(source) : value)
for (const name of parse(ask('functions'))) {
  documented[name] = (...passed) => {
    let data
    try { data = toData(passed, 0) }
    catch (error) { throw error === REFUSED ? new TypeError(name + ' takes data only, got ' + refused) : error }
    const answer = ask('call', name, stringify(data))
    return answer === '' ? undefined : freezeData(parse(answer, /\d{16}/.test(answer) ? keepDigits : undefined))
  }
}

// A bigint is its digits in JSON. Without rawJSON it is written as a string with a unique prefix, and then unquoted.
const token = rawJSON ? '' : ask('randomUUID')
defineProperty(BigInt.prototype, 'toJSON', { value() { return rawJSON ? rawJSON(String(this)) : token + this } })
const write = rawJSON ? stringify : (...passed) => stringify(...passed)?.replace(new RegExp('"' + token + '(-?\\d+)"', 'g'), '$1')
JSON.stringify = write

// --- nothing else, and nothing that can be changed ------------------------------------------------------------------
const hidden = [function () {}, function* () {}, async () => {}, async function* () {}].map(getPrototypeOf)
// Without stackTraceLimit V8 records no stack, so the host's Error.prepareStackTrace is never called for a guest error.
delete Error.stackTraceLimit
for (const owner of [ObjectPrototype, ...hidden, String.prototype, Number.prototype, Boolean.prototype]) delete owner.constructor
const removed = [
  [ObjectPrototype, ['__proto__', '__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__']],
  [hidden[0], ['caller', 'arguments']], [Error, ['captureStackTrace', 'prepareStackTrace']], [Symbol, ['for', 'keyFor']],
]
for (const [owner, names] of removed) for (const name of names) delete owner[name]
// RegExp.$1, RegExp.lastMatch and the like would reveal the match of another expression.
for (const key of ownKeys(RegExp)) if (typeof key === 'string' && !['prototype', 'name', 'length', 'escape'].includes(key)) delete RegExp[key]
delete Array.fromAsync
const errorKinds = [Error, TypeError, RangeError, SyntaxError, root.EvalError, root.ReferenceError, root.URIError]
// Prototype of data: own names only, apart from the usual hasOwnProperty and a text form.
const DataPrototype = create(null, {
  hasOwnProperty: { value: ObjectPrototype.hasOwnProperty },
  [Symbol.toPrimitive]: { value: () => '[object Object]' },
  [Symbol.toStringTag]: { value: 'Object' },
})
const seen = new Set()
const open = [documented, DataPrototype, ...hidden, ...hidden.map((kind) => kind.prototype)]
const samples = [[].values(), ''[Symbol.iterator](), new Map().values(), new Set().values(), 'a'.matchAll(/a/g), (function* () {})(), (async function* () {})(), (async () => {})()]
if (Intl) samples.push(new Intl.Segmenter().segment('a'), new Intl.Segmenter().segment('a')[Symbol.iterator]())
if (root.Iterator) samples.push([].values().map(String), root.Iterator.from({ next() {} }))
// Not the samples themselves: Node 22 attaches host objects to promises, and those must not freeze.
open.push(...errorKinds, ...samples.map(getPrototypeOf))
while (open.length > 0) {
  const value = open.pop()
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
  seen.add(value)
  open.push(getPrototypeOf(value))
  const own = getOwnPropertyDescriptors(value)
  for (const key of ownKeys(own)) open.push(own[key].value, own[key].get, own[key].set)
}
// Some cannot be deleted (undefined, or gc under --expose-gc). No expression reaches them: all its names are parameters.
for (const key of ownKeys(root)) deleteProperty(root, key)
for (const value of seen) freeze(value)

// --- data in --------------------------------------------------------------------------------------------------------
const freezeData = (data) => {
  if (typeof data !== 'object' || data === null || isFrozen(data)) return data
  if (isArray(data)) for (let i = 0; i < data.length; i++) freezeData(data[i])
  else {
    for (const key of keys(data)) freezeData(data[key])
    setPrototypeOf(data, DataPrototype)
  }
  return freeze(data)
}
// JSON that holds bigints starts with a #, and every string in it with a letter: n for a bigint, s for any other.
const unmark = (key, value) => typeof value !== 'string' ? value : value[0] === 'n' ? BigInt(value.slice(1)) : value.slice(1)
// Headers follow an @. Their names are in lower case; others are looked up in a prototype that finds them in any case.
const toLower = (name) => (typeof name === 'string' ? apply(toLowerCase, name, []) : name)
const refuseChange = () => false
const readHeaders = (headers) => {
  for (const key of keys(headers)) freeze(headers[key])
  const other = new Proxy(create(DataPrototype), {
    get: (none, name) => (hasOwn(headers, toLower(name)) ? headers[toLower(name)] : none[name]),
    has: (none, name) => hasOwn(headers, toLower(name)) || name in none,
    set: refuseChange, defineProperty: refuseChange, deleteProperty: refuseChange,
    setPrototypeOf: refuseChange, preventExtensions: refuseChange,
  })
  return freeze(setPrototypeOf(headers, other))
}
const read = (text) => (text[0] === '#' ? parse(text.slice(1), unmark) : parse(text))
const load = (text) => {
  if (text[0] === '@') return readHeaders(parse(text.slice(1)))
  if (text[0] !== '&') return freezeData(read(text))
  // A request, or responses, which have headers.
  const data = read(text.slice(1))
  for (const one of isArray(data) ? data : [data]) if (one.headers) readHeaders(one.headers)
  return freezeData(data)
}

// --- data out -------------------------------------------------------------------------------------------------------
const REFUSED = freeze({ __proto__: null })
let refused = ''
const refuse = (text) => { refused = text; throw REFUSED }
// In both directions, an integer that a number can hold is a number, and a larger one a bigint.
const MOST = BigInt(Number.MAX_SAFE_INTEGER)
let hasBigint = false
const kinds = [[Map, 'a Map'], [Set, 'a Set'], [RegExp, 'a regular expression'], [Error, 'an error'], [Object, 'an object that is not plain data']]
const nameKind = (value) =>
  typeof value === 'object' ? kinds.find(([kind]) => value instanceof kind || kind === Object)[1] : 'a ' + typeof value
const toData = (value, depth) => {
  if (typeof value === 'string' || typeof value === 'boolean' || value === undefined || value === null) return value
  if (typeof value === 'number') {
    if (value - value !== 0) refuse(String(value))
    return value === 0 ? 0 : value
  }
  if (typeof value === 'bigint') {
    if (value >= -MOST && value <= MOST) return Number(value)
    hasBigint = true
    return value
  }
  if (typeof value !== 'object') refuse(nameKind(value))
  if (depth > ${maxDepth}) refuse('data nested deeper than ${maxDepth} levels, or containing itself')
  if (isArray(value)) {
    const list = []
    for (let i = 0; i < value.length; i++) list.push(toData(value[i], depth + 1) ?? null)
    return list
  }
  if (value instanceof Date) {
    if (Number.isNaN(apply(getTime, value, []))) refuse('an invalid date')
    return apply(toISOString, value, [])
  }
  if (value instanceof URL) return value.href
  const prototype = getPrototypeOf(value)
  const isData = prototype === null || prototype === ObjectPrototype || prototype === DataPrototype
  if (!isData && getPrototypeOf(prototype) !== DataPrototype) refuse(nameKind(value))
  const object = create(null)
  for (const key of keys(value)) {
    const item = toData(value[key], depth + 1)
    if (item !== undefined) object[key] = item
  }
  return object
}
const describeThrown = (error) => {
  try {
    if (error instanceof Error) return (String(error.name) + ': ' + String(error.message)).slice(0, 1000)
    if (typeof error === 'object' && error !== null) return stringify(toData(error, 0)).slice(0, 1000)
    return String(error).slice(0, 1000)
  } catch { return 'a value that cannot be shown' }
}

// --- calls ----------------------------------------------------------------------------------------------------------
const evaluate = (program, ...passed) => {
  try {
    hasBigint = false
    const data = toData(apply(program, undefined, passed), 0)
    if (data === undefined) return ['undefined', '']
    const kind = hasBigint ? 'bigints' : typeof data === 'object' && data !== null ? 'json' : 'value'
    const payload = kind === 'value' ? data : write(data)
    if (typeof payload === 'string' && payload.length > 5e7) refuse('a value of more than 50,000,000 characters')
    return [kind, payload]
  } catch (error) {
    return error === REFUSED ? ['refused', refused] : ['threw', describeThrown(error)]
  }
}
freeze(root)
return freeze({
  globals: documented,
  load,
  evaluate,
  // The same with a text as the result, for an engine to which passing anything else is slow.
  evaluateText: (program, ...passed) => stringify(evaluate(program, ...passed)),
})
})`
