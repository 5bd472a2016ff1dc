import { expect, test } from 'vitest'
import { findUnset } from './find-unset.ts'

const locals = { body: { page: 1, tag: 'new', items: [5, { id: 1 }] } }

test.for<[condition: string, unset: string | undefined]>([
  ['!(body.page > limit)', 'limit'],
  ['!(limit < body.page)', 'limit'],
  ['!(body.page > limit) || false', 'limit'],
  ['limit + 1 !== 5', 'limit'],
  ['body.page === 1 && !(body.page > variables.limit)', 'limit'],
  ['!(body.page > $env.LIMIT)', '$env.LIMIT'],
  ['!(body.page > Number($env.LIMIT))', '$env.LIMIT'],
  ['!body.items.includes(limit)', 'limit'],
  ['body.page !== limit', 'limit'],
  ['body.page !== auth.limit', 'auth.limit'],
  ['body.page !== auth.token', undefined],
  ['body.page !== body.limit', undefined],
  ['body.page !== none', undefined],
  ['body.items.every((limit) => limit !== 7)', undefined],
  ['limit === undefined || !(body.page > limit)', undefined],
  ["body.tag === 'old' || body.page !== limit", 'limit'],
  ["body.tag === 'old' ? body.page === 1 : body.page !== limit", 'limit'],
  ['!limit || !(body.page > limit)', undefined],
  ['!(limit) || !(body.page > (limit))', undefined],
  ["typeof limit === 'undefined'", undefined],
  ['limit !== -1', undefined],
  ['!(body.page > (Number($env.LIMIT) || 5))', undefined],
  ["body.page !== (body.tag === 'x' ? 1 : limit)", 'limit'],
  ['(() => { if (limit) return body.page < limit; return true })()', undefined],
  ['body.page !== limit || body.page === 3', 'limit'],
  ['!body.items.map(({ id }) => id).includes(limit)', 'limit'],
  ['body.page > (limit ?? 0)', undefined],
  ['limit?.most !== body.page', undefined],
  ['limit ? body.page < limit : true', undefined],
  ["limit !== 'x' && $env.STAGE !== 'prod'", undefined],
  ["!['staging', 'prod'].includes($env.STAGE)", undefined],
  ['!/^prod/.test($env.STAGE)', undefined],
  ['__function(variables.limit)', undefined],
])('the name without a value that %s reads is %s', ([condition, unset]) => {
  const names = { layers: [{ none: null }], exports: { auth: { token: 1 } }, locals, env: {} }
  expect(findUnset(condition, names)).toBe(unset && `\`${unset}\` has no value`)
})
