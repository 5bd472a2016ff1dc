import { expect, test } from 'vitest'
import suiteSchema from '../../schema.json' with { type: 'json' }
import type { StepResult } from '../run/result.ts'
import { createRedactor } from '../secrets/redactor.ts'
import { makeStep } from './fixtures/make-results.ts'
import { learnAuth, learnStep } from './learn-step.ts'

test('learns from all parts of a step that have names, and from checked fields what equals them', () => {
  const redactor = createRedactor()
  const named: unknown = {
    captured_variables: { token: 'tok-1111' },
    available_variables: { list: [{ api_key: 'key-2222' }], open: 'open-3333' },
    request_details: {
      headers: { authorization: 'Bearer bearer-4444' },
      full_url: 'http://me:pass%204a@h/?access_token=q+5555&open=6666#token=part-7777',
      body: 'client_secret=form%2F8888&a=b',
    },
    response_details: { headers: { 'set-cookie': ['sid=cookie-9999; Path=/'] }, body: '{"jwt":"json-aaaa"}' },
    assertions_results: [
      { field: 'body.token.equals', expected: 'want-bbbb', actual: 'got-cccc' },
      { field: 'body.token.format', expected: 'date-time', actual: 'got-cccc' },
      { field: 'body.token.n', expected: 'body.token.n', actual: 'TypeError: Cannot read it' },
      { field: 'body.size.equals', expected: 'open-dddd', actual: 'open-eeee' },
      { field: 'body.token.equals', expected: 123450, actual: 123451 },
      { field: 'body.token.length', expected: '1024', actual: 1024 },
      { field: 'body.equals', expected: { jwt: 'whole-kkkk', size: 'open-llll' }, actual: null },
      { field: 'body.contains', expected: { jwt: 'part-mmmm' }, actual: null },
      { field: 'body.token.contains', expected: 'staging', actual: null },
      { field: 'body.token.in', expected: ['one-nnnn'], actual: null },
    ],
    burst: { responses: [{ body: '<a><password>element-jjjj</password></a>' }] },
    redirects: [{ url: 'http://h/?api_key=hop-ffff', target: 'http://h/?api_key=next-eeee' }],
    mock_calls: [
      {
        url: 'http://h/?token=call-gggg',
        sent: { password: 'sent-hhhh' },
        answered: '{"jwt":"answer-iiii"}',
      },
    ],
  }
  learnStep(redactor, makeStep(named as Partial<StepResult>))
  expect([...redactor.known.keys()].toSorted()).toEqual([
    '123450',
    'answer-iiii',
    'bearer-4444',
    'call-gggg',
    'cookie-9999',
    'element-jjjj',
    'form/8888',
    'got-cccc',
    'hop-ffff',
    'json-aaaa',
    'key-2222',
    'next-eeee',
    'one-nnnn',
    'part-7777',
    'part-mmmm',
    'pass 4a',
    'pass%204a',
    'q 5555',
    'sent-hhhh',
    'sid=cookie-9999; Path=/',
    'tok-1111',
    'want-bbbb',
    'whole-kkkk',
  ])
  expect(redactor.known.get('key-2222')).toEqual(['key-2222', 'api_key', 0])
})

test('learns from values that are addresses, and from addresses in their parameters, what looks like a secret', () => {
  const redactor = createRedactor()
  const named: unknown = {
    request_details: {
      headers: {},
      full_url: "http://h/?next=%2Fcb%3Fx%3D1%26token%3Dnested%25201111&token=it's-own",
      body: { next: 'http://h/cb?api_key=body-3333', open: 'Is it so?token=open-4444' },
    },
    response_details: {
      headers: { location: ['/cb?state=open-5555&access_token=head-6666#id_token=part-7777'] },
      body: {
        data: '{"url":"/cb?token=json-8888","x":1}',
        words: [
          '/a?token=next',
          '/a?token=page-12',
          '/a?token=YOUR_TOKEN',
          '/a?token={token-9}',
          '/a?token=:token99',
          '?token=2024',
        ],
        template: '/cb?token={{token}}',
        long: `/a?${'x=/a?'.repeat(2000)}token=long-9999`,
        deep: `/a?a=${'/a?a='.repeat(500)}%zz`,
      },
    },
  }
  learnStep(redactor, makeStep(named as Partial<StepResult>))
  expect([...redactor.known.keys()].toSorted()).toEqual([
    'body-3333',
    'head-6666',
    "it's-own",
    'nested 1111',
    'part-7777',
  ])
})

test('learns the parts of a multipart body that have secret names', () => {
  const redactor = createRedactor()
  const part = (head: string, value: string): string =>
    `--b-1\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
  const body = [
    part('name="note"; filename="password"\r\nContent-Type: text/plain', 'open-1111'),
    part('name="password"', 'first-2222\r\nsecond line'),
    part('name="api_key"; filename="k.pem"', 'key-3333'),
    part('name="meta"; filename="blob"\r\nContent-Type: application/json', '{"token":"json-4444"}'),
    '--b-1--\r\n',
  ].join('')
  const details = makeStep({}).request_details as NonNullable<StepResult['request_details']>
  learnStep(redactor, makeStep({ request_details: { ...details, body } }))
  expect([...redactor.known.keys()].toSorted()).toEqual([
    'first-2222\r\nsecond line',
    'json-4444',
    'key-3333',
  ])
})

test('learns from JSON that is broken, too', () => {
  const redactor = createRedactor()
  const body = '{"user": "ann", "access_token": "tok-1111", bad}'
  learnStep(redactor, makeStep({ response_details: { status_code: 200, headers: {}, body } } as never))
  expect([...redactor.known.keys()]).toEqual(['tok-1111'])
})

test('learns from the arguments of a GraphQL query that are texts', () => {
  const redactor = createRedactor()
  const query = 'mutation($token: ID!) { login(password: "open \\"sesame", id: "open-1111") }'
  const named: unknown = { request_details: { headers: {}, full_url: 'http://h/', body: { query } } }
  learnStep(redactor, makeStep(named as Partial<StepResult>))
  expect([...redactor.known.keys()]).toEqual(['open \\"sesame'])
  const long: unknown = {
    request_details: { headers: {}, full_url: 'http://h/', body: { query: 'a'.repeat(100_000) } },
  }
  const start = process.cpuUsage()
  learnStep(redactor, makeStep(long as Partial<StepResult>))
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000)
})

test('learns every setting of the built-in schemes of `auth` but those that are no secrets', () => {
  const schemes = Object.entries(suiteSchema.$defs.auth.anyOf[1]?.properties ?? {})
  const shown = schemes.flatMap(([scheme, settings]) => {
    const names = 'properties' in settings ? Object.keys(settings.properties) : []
    const redactor = createRedactor()
    learnAuth(redactor, { [scheme]: Object.fromEntries(names.map((name) => [name, `${name}-1234`])) })
    return names.filter((name) => !redactor.known.has(`${name}-1234`)).map((name) => `${scheme}.${name}`)
  })
  expect(shown, 'if a setting is a secret, `learnAuth` must learn it').toEqual([
    ...['basic.username', 'api_key.in', 'api_key.name', 'digest.username', 'oauth2.token_url'],
    ...['oauth2.client_id', 'oauth2.client_auth', 'oauth2.grant', 'oauth2.scope', 'oauth2.audience'],
    ...['oauth2.username', 'aws.region', 'aws.service', 'aws.access_key_id'],
  ])
})
