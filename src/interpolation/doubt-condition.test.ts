import { expect, test } from 'vitest'
import { findDoubt } from './doubt-condition.ts'

const gone = (path: string): string =>
  `compares \`${path}\`, which is not there (if it may be missing, write a default: \`(… ?? 0)\`)`

const goneInAll = (read: string, why = 'if it may be missing, write a default: `(… ?? 0)`'): string =>
  `reads \`${read}\`, which no element of \`body.users\` has (${why})`

const lines =
  'reads `headers.vary` as one text, though it came 2 times: write `headers.vary.some((one) => …)`'

const locals = {
  page: 1,
  eight: 8,
  off: false,
  order: { id: 5 },
  headers: { 'x-n': '8', amount: '12.50', vary: ['Accept', 'Origin, Cookie'], type: 'text/html; q=1' },
  body: {
    page: 1,
    tag: 'new',
    items: [5, { id: 1, name: 'Ann' }],
    users: [{ tenant: { name: 'a' } }, { tenant: { name: 'c' } }],
  },
}

test.for<[condition: string, told: string | undefined]>([
  ['body.pge === 1', 'reads `body.pge`, which is not there (did you mean `page`?)'],
  ['!body.age', undefined],
  ['body.pge !== null', 'reads `body.pge`, which is not there (did you mean `page`?)'],
  [
    'body.done_at !== null && null !== body.page',
    'compares `body.done_at`, which is not there (a missing value is no null: to refuse both, write `!= null`)',
  ],
  ['body.done_at !== undefined && body.done_at !== null', undefined],
  ['body.done_at != null || body.page !== null', undefined],
  ['body.users.every((one) => one.org !== null)', goneInAll('one.org')],
  ['body.tab !== 5', gone('body.tab')],
  [
    "body.items.every((one) => one.nmae !== 'Al')",
    'reads `one.nmae`, which no element of `body.items` has (did you mean `name`?)',
  ],
  [
    "!body.items.some(function (one) { return one['nam'] === 7 })",
    'reads `one.nam`, which no element of `body.items` has (did you mean `name`?)',
  ],
  ["body.items.every((one) => one.name !== 'Al' && one.note !== 1)", undefined],
  [
    "headers['x-n'] !== eight",
    'compares `"8"` (string) at `headers[\'x-n\']` with `eight`, which is never equal',
  ],
  ['eight !== body.page', undefined],
  [
    "!('new' in body.items)",
    "looks for a key of `body.items`, which is a list: write `body.items.includes('new')`",
  ],
  [
    'eight in body.items',
    'looks for a key of `body.items`, which is a list: write `body.items.includes(eight)`',
  ],
  ["1 in body.items && !(2 in body.items) && 'tag' in body", undefined],
  ['page === Number(page)', 'compares `page` with itself'],
  ['body.page > 0 && (body.tag === body.tag)', 'compares `body.tag` with itself'],
  ['body.page === variables.page', undefined],
  ['order.id + page === 5 + page', undefined],
  ["body.users.every((one) => one.org !== 'b')", goneInAll('one.org')],
  ["!body.users.some(({ org }) => org === 'b')", goneInAll('org')],
  ["body.users.filter((one) => one.org === 'b').length === 0", goneInAll('one.org')],
  ["!body.users.map((one) => one.tenant.org).includes('b')", goneInAll('one.tenant.org')],
  ['new Set(body.users.map((one) => one.org)).size === 1', goneInAll('one.org')],
  ['body.users.every((one) => one.tenant.nmae !== 1)', goneInAll('one.tenant.nmae', 'did you mean `name`?')],
  ["body.users.every(({ tenant }) => tenant.name !== 'b')", undefined],
  ["body.users.every((one) => one.tenant.toString() !== 'b')", undefined],
  ["body.users.every((one) => one.tenant.name.trim() !== 'b')", undefined],
  ["body.users.every((one) => (one.org ?? 'a') !== 'b')", undefined],
  ['body.users.every((one) => one.org === undefined)', undefined],
  ['!body.users.some((one) => one.deleted)', undefined],
  ["body.users.filter((one) => one.tenant.name === 'x' && one.org === 'b').length === 0", undefined],
  ["body.items.every((one) => one.org !== 'b')", undefined],
  ["body.none.every((one) => one.nmae !== 'Al')", undefined],
  ['body.page === 1', undefined],
  ['body.pge === undefined', undefined],
  ["body.items.name !== 'Al'", 'reads `body.items.name`, but `body.items` is `[5,{"id":1,"name":"Ann"}]`'],
  ['!off.now', 'reads `off.now`, but `off` is `false`'],
  ['!body.tag.old', 'reads `body.tag.old`, but `body.tag` is `"new"`'],
  ['Array.isArray(body.items) ? body.items[0] === 5 : body.items.id === 5', undefined],
  ["body.page !== '1'", "compares `1` (number) at `body.page` with `'1'`, which is never equal"],
  ['!(headers["x-n"] === 8)', 'compares `"8"` (string) at `headers["x-n"]` with `8`, which is never equal'],
  [
    'body.items[1].id !== "1"',
    'compares `1` (number) at `body.items[1].id` with `"1"`, which is never equal',
  ],
  ["headers['x-n'] !== '8'", undefined],
  [
    "body.page === 1 && body.tag !== 'New'",
    'compares `"new"` (string) at `body.tag` with `"New"` (string), which differs only in upper and lower case or looks the same',
  ],
  ["body.tag !== body.tag.toUpperCase() && body.tag !== 'news' && !(body.tag === 'New')", undefined],
  ["body.page !== '2'", undefined],
  ['body.page !== 1.5', undefined],
  ["typeof body.page === 'number'", undefined],
  ['+headers["x-n"] === 8', undefined],
  ['1 * headers["x-n"] === 8', undefined],
  ["'' + body.page === '1'", undefined],
  ["['1'].every((page) => page === '1')", undefined],
  ['!body.tag.includes("page === \'1\'")', undefined],
  ["body.json !== 'failed'", gone('body.json')],
  ['!(body.errors > 0)', gone('body.errors')],
  ['body.paid === body.total', gone('body.paid')],
  ['String(body.paid) === String(order.amount)', gone('body.paid')],
  ['JSON.stringify(order.total) == JSON.stringify(order.id)', gone('order.total')],
  ['variables.order.total !== body.page', gone('order.total')],
  ["headers['x-old'] !== '1'", gone('headers.x-old')],
  ['!(parseFloat(body.fee) > 100) && order.id === 5', gone('body.fee')],
  ['+body.fee !== 0', gone('body.fee')],
  ["!['a', 'b'].includes(body.state)", gone('body.state')],
  ['!/error/.test(body.message)', gone('body.message')],
  ["!['a', 'b'].includes(body.tag)", undefined],
  [
    'body.items !== []',
    'compares `body.items` with `[]`, which equals no other list or object: compare both as `JSON.stringify(…)`',
  ],
  ['JSON.stringify(body.items) !== JSON.stringify([])', undefined],
  ['(100 * Number(body.fee)) !== 25', gone('body.fee')],
  ['!(new Date(body.closed_on) < new Date())', gone('body.closed_on')],
  ['body.items.every((one) => +one.fee !== 0)', undefined],
  [
    'headers.amount !== 12.5',
    'compares `"12.50"` (string) at `headers.amount` with `12.5`, which is never equal',
  ],
  [
    "headers.amount < '9'",
    'compares `headers.amount` and `\'9\'`, which are `"12.50"` (string) and `"9"` (string), as texts: write `Number(…)` around each to compare numbers',
  ],
  ["headers.amount < '19'", undefined],
  ['headers.amount < 9', undefined],
  ["headers.amount < 'a'", undefined],
  ["!headers.vary.includes('Cookie')", lines],
  ["headers.vary.indexOf('Cookie') === -1", lines],
  [
    "headers.type !== 'text/html'",
    'compares the whole header `"text/html; q=1"` (string): write `!headers.type.includes(\'text/html\')`',
  ],
  ["headers.type !== 'text/xml' && headers.amount !== '12'", undefined],
  ["headers.vary !== 'Accept'", lines],
  ["!['Origin', 'Cookie'].includes(headers.vary)", lines],
  ["headers.vary.includes('Accept') && !headers.vary.includes('User-Agent')", undefined],
  ["!headers.vary.some((one) => one.includes('Host')) && !headers['x-n'].includes('9')", undefined],
  ['body.page === 1 && (body.items[7] !== 1 && !(body.size >= 3))', gone('body.items[7]')],
  ['!(body.state === "failed" && body.code === 5)', gone('body.state')],
  ["body.error == null && (body?.off, true) && body.state !== 'failed'", gone('body.state')],
  ['body.pge === undefined && !(body.nam > 1)', gone('body.nam')],
  ["(body.items ?? []).every((one) => one.nmae !== 'Al') && body.page === 1", undefined],
  // Where the value may not have been read.
  ['!(body.page === 2 && body.code === 5)', undefined],
  ['!(!(body.page === 2 && body.code === 5) && body.tag === 1)', undefined],
  ['body.page === 1 ? body.page === 1 : body.code === 5', undefined],
  // Where it is taken as a condition, passed on, or asked for.
  ['!body.code && !!body.page && !(body.code && body.page)', undefined],
  ['Boolean(body.code) !== body.page', undefined],
  ['body?.code !== 5', undefined],
  ['(body.code ?? 0) !== 5', undefined],
  ["typeof body.code !== 'number' && body.code !== 5", undefined],
  ['body.items.every((one) => one.code !== 5)', undefined],
  ['body.items[body.page - 1] === 5 && body.tag.length < 5 && body.tag.trim() !== "x"', undefined],
])(
  'what a condition reads that is not there is told where something is named like it or it is compared: %s',
  ([condition, told]) => {
    expect(findDoubt(condition, { layers: [], exports: {}, locals })).toBe(told)
  },
)
