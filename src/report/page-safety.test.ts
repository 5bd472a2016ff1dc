import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { StepResult, SuiteResult } from '../run/result.ts'
import { makeExchanges } from './fixtures/make-exchanges.ts'
import { buildResult, makeScenariosMeta, makeStep } from './fixtures/make-results.ts'
import { makeRun } from './fixtures/make-run.ts'
import { createPages, hasBrowser, unfold } from './fixtures/open-page.ts'

describe.runIf(hasBrowser)('what the report page does with what others wrote', () => {
  const { open, write } = createPages()

  test('runs nothing and loads nothing that a suite or a server put into it, in whatever field', async () => {
    const url = await write([makeHostileSuite()], { errors: [canary] })
    const { page, wrong } = await open(url)
    const step = await page.locator('.list .step a').first().getAttribute('href')
    const suite = await page.locator('.list .suite a').first().getAttribute('href')
    for (const hash of [suite, step]) {
      await page.goto(url + String(hash))
      await unfold(page)
    }
    expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false)
    expect(await page.locator('img, iframe, object, embed, base').count()).toBe(0)
    expect(await page.locator('.view').innerText()).toContain('<script>')
    expect(wrong).toEqual([])
  })

  test('shows a page that was answered only on request, and nothing in it runs', async () => {
    const { page, wrong } = await open(`${await write([makeExchanges()])}#/step/exchanges/page`)
    expect(await page.locator('iframe').count()).toBe(0)
    await page.click('text=Show as a page')
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('')
    expect(await page.frameLocator('iframe').locator('h1').innerText()).toBe('Sold out')
    expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false)
    expect(wrong.filter((text) => !text.startsWith('Blocked script execution'))).toEqual([])
  })

  test('shows itself in a frame without an address of its own, and says what is missing where no script may run', async () => {
    const url = await write(makeRun())
    const html = await readFile(fileURLToPath(url), 'utf8')
    const { page, wrong } = await open(url)
    const put = (sandbox: string): Promise<void> =>
      page.evaluate(
        ([srcdoc, sandbox]) => {
          const frame = Object.assign(document.createElement('iframe'), { srcdoc, width: 1200, height: 800 })
          frame.setAttribute('sandbox', String(sandbox))
          document.body.replaceChildren(frame)
        },
        [html, sandbox],
      )
    await page.goto('about:blank')
    const frame = page.frameLocator('iframe')
    await put('allow-scripts')
    await frame.locator('.entries a', { hasText: 'Fetch the profile' }).first().waitFor()
    expect(wrong).toEqual([])
    await put('')
    await frame.locator('#app > p', { hasText: 'It needs JavaScript.' }).waitFor()
  })

  test('names every script and style it allows, and nothing else', async () => {
    const html = await readFile(fileURLToPath(await write(makeRun().slice(0, 1))), 'utf8')
    expect(html).toMatch(
      /content="default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'"/,
    )
    expect(html.match(/<script(?! type="application\/json")/g)).toHaveLength(1)
    expect(html).not.toMatch(/\s(?:src|href)="(?!data:|#)/)
  })
})

const canary = `</script><script>globalThis.pwned=1</script><img src=x onerror="globalThis.pwned=1"><!-- <svg onload=pwned=1> {{constructor}} javascript:alert(1) \u2028\u2029\u0000\ud800`

function makeHostileSuite(): SuiteResult {
  const object = { [canary]: canary, list: [canary] }
  const step: StepResult = makeStep({
    step_id: canary,
    qualified_step_id: `${canary}::${canary}`,
    step_name: canary,
    status: 'failure',
    error_message: canary,
    skip_reason: canary,
    assertions_results: [{ field: canary, expected: object, actual: canary, passed: false, message: canary }],
    captured_variables: object,
    available_variables: object,
    iteration: object,
    warnings: [{ message: canary, line: 1, column: 1 }],
    redirects: [{ status_code: 302, method: canary, url: `javascript:${canary}`, location: canary }],
    mock_calls: [
      { method: canary, url: canary, mock: canary, sent: object, answered: canary, outcome: 'unhandled' },
    ],
    attempts: [
      {
        attempt: 1,
        start_time: canary,
        duration_ms: 1,
        delay_ms: 0,
        status: 'failure',
        error_message: canary,
        response_details: {
          status_code: 500,
          headers: { [canary]: canary },
          body: canary,
          size_bytes: 1,
          transfer_bytes: 1,
          raw_response: canary,
        },
      },
    ],
    scenarios_meta: makeScenariosMeta(canary),
    request_details: {
      method: canary,
      url: canary,
      headers: { [canary]: canary },
      body: object,
      params: object,
      base_url: canary,
      full_url: canary,
      curl_command: canary,
      raw_request: canary,
      raw_url: canary,
    },
    response_details: {
      status_code: 200,
      headers: { [canary]: [canary] },
      body: object,
      size_bytes: 1,
      transfer_bytes: 1,
      raw_response: canary,
    },
  })
  return buildResult({
    node_id: canary,
    suite_name: canary,
    file_path: canary,
    priority: canary,
    tags: [canary],
    start_time: '2026-01-02T03:04:05.000Z',
    suite_yaml_content: `- name: x\n  ${canary}`,
    error_message: canary,
    warnings: [{ message: canary, line: 1, column: 1 }],
    steps: [step],
  })
}
