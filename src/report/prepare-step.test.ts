import { expect, test } from 'vitest'
import type { Json } from '../json.ts'
import { makeStep } from './fixtures/make-results.ts'
import { prepareStep } from './prepare-step.ts'
import { createRedactor } from '../secrets/redactor.ts'

const canary = 'canary-7f3a/9+x'

test('hides a secret in every field of a step, in every encoding', () => {
  const step = makeStep({
    step_name: `log in with ${canary}`,
    error_message: `GET http://h/?q=${encodeURIComponent(canary)} failed`,
    request_details: {
      method: 'POST',
      url: `/login?x=${encodeURIComponent(canary)}`,
      headers: { authorization: `Bearer ${canary}`, 'x-other': canary },
      body: { [canary]: [canary] },
      full_url: `http://user:${encodeURIComponent(canary)}@h/login`,
      curl_command: `curl -u 'user:${canary}' http://h`,
      raw_request: `POST / HTTP/1.1\r\nAuthorization: Basic ${Buffer.from(`u:${canary}`).toString('base64')}\r\n\r\n`,
      raw_url: `/login?x=${canary}`,
    },
    captured_variables: { a: canary },
    available_variables: { 'other.a': { deep: canary } },
    assertions_results: [
      {
        field: `body.${canary}`,
        expected: canary,
        actual: [canary],
        passed: false,
        message: `got ${canary}`,
      },
    ],
    attempts: [
      {
        attempt: 1,
        start_time: '',
        duration_ms: 1,
        delay_ms: 0,
        status: 'failure',
        error_message: canary,
      },
    ],
    warnings: [{ message: canary }],
    redirects: [{ statusCode: 302, method: 'GET', url: `http://h/${canary}`, location: canary }],
    mock_calls: [{ method: 'GET', url: canary, outcome: 'mocked' }],
    iteration: { row: canary },
    skip_reason: canary,
  })
  const text = JSON.stringify(prepareStep(step, { redactor: createRedactor({ secrets: [canary] }) }))
  expect(text).not.toContain('canary')
  expect(text).not.toContain(encodeURIComponent(canary))
  expect(text).not.toContain(Buffer.from(canary).toString('base64').slice(0, 12))
})

test('learns secrets by name and hides them in the raw texts of the same step', () => {
  const redactor = createRedactor()
  const step = makeStep({
    captured_variables: { access_token: 'tok-12345678' },
    request_details: {
      method: 'POST',
      url: '/x?api_key=k-998877',
      headers: {},
      body: 'password=hunter-two&a=b',
      full_url: 'http://h/x?api_key=k-998877',
      curl_command: "curl -d 'password=hunter-two&a=b' 'http://h/x?api_key=k-998877'",
      raw_request: 'POST /x?api_key=k-998877 HTTP/1.1\r\n\r\npassword=hunter-two&a=b',
      raw_url: '/x?api_key=k-998877',
    },
    error_message: 'sent hunter-two with tok-12345678 and k-998877',
  })
  const shown = prepareStep(step, { redactor })
  expect(JSON.stringify(shown)).not.toMatch(/hunter|12345678|998877/)
  expect(shown.error_message).toBe('sent [redacted] with [redacted] and [redacted]')
  expect(redactor.secrets().toSorted()).toEqual(['hunter-two', 'k-998877', 'tok-12345678'])
})

test('hides short secrets in assertion rows of a secret field, but not what `type` expects', () => {
  const row = { passed: true, message: 'OK' }
  const step = makeStep({
    assertions_results: [
      { ...row, field: 'body.json.token.equals', expected: 'abc', actual: 'abd' },
      { ...row, field: 'body.json.token.type', expected: 'string', actual: 'string' },
      { ...row, field: 'body.json.token[0].minLength', expected: '>= 3', actual: 3 },
      { ...row, field: 'body.json.size.equals', expected: 'abc', actual: 1 },
    ],
  })
  const rows = prepareStep(step, { redactor: createRedactor() }).assertions_results
  expect(rows.map(({ expected, actual }) => [expected, actual])).toEqual([
    ['[redacted]', '[redacted]'],
    ['string', 'string'],
    ['>= 3', '[redacted]'],
    ['abc', 1],
  ])
})

test('cuts big bodies and raw texts, says how big they were, and leaks no half secret at the cut', () => {
  const body: Json = { items: Array.from({ length: 50_000 }, (_, id) => ({ id, name: `item ${id}` })) }
  const step = makeStep({
    response_details: {
      status_code: 200,
      headers: {},
      body,
      size_bytes: 1,
      transfer_bytes: 1,
      raw_response: `${'x'.repeat(65_530)}${canary}${'y'.repeat(1_000_000)}`,
    },
  })
  const { response_details: response } = prepareStep(step, {
    redactor: createRedactor({ secrets: [canary] }),
  })
  expect(JSON.stringify(response?.body).length).toBeLessThan(90_000)
  expect(JSON.stringify(response?.body)).toMatch(/\[cut: \d+ more items \(64 KiB shown\)\]/)
  expect(response?.raw_response).toMatch(/^x+\[redac… \[cut: 64 KiB of 1\.0 MiB shown\]$/)
  expect(JSON.stringify(response)).not.toContain('canary')
})

test('leaves out a curl command that would have to be cut', () => {
  const step = makeStep({})
  const request = step.request_details as NonNullable<typeof step.request_details>
  request.curl_command = `curl -d '${'x'.repeat(300_000)}' http://h`
  expect(prepareStep(step, { redactor: createRedactor() }).request_details?.curl_command).toBe(
    '# left out: the command is 293.0 KiB long; raise `limits.reportBody` to have it',
  )
})
