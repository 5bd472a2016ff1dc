import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StepResult, SuiteResult } from '../run/result.ts'
import { buildSuiteResult } from './build-suite-result.ts'
import { makeStep } from './fixtures/make-results.ts'
import { makeRun } from './fixtures/make-run.ts'
import { writePage } from './fixtures/write-page.ts'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
)

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const text = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allInnerTexts()

const unfold = (page: Page): Promise<void> =>
  page.locator('details').evaluateAll((all) => {
    for (const details of all) details.setAttribute('open', '')
  })

// CI has a browser: there the tests fail without one.
describe.runIf(executablePath || process.env['CI'])('the report page in a browser', () => {
  let browser: Browser
  let directory: string
  let address: string

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath as string, args: quiet })
    directory = await mkdtemp(join(tmpdir(), 'suitecase-page-'))
    address = pathToFileURL(await writePage(directory, makeRun())).href
  })

  afterAll(async () => {
    await browser?.close()
    if (directory) await rm(directory, { recursive: true, force: true })
  })

  /** Opens the page and collects whatever must not happen: errors, CSP violations, requests. */
  async function open(
    hash = '#/',
    options: BrowserContextOptions = {},
    url = address,
  ): Promise<{ page: Page; wrong: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options })
    const wrong: string[] = []
    page.on('pageerror', (error) => wrong.push(error.message))
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
    page.on(
      'request',
      (request) =>
        request.url().startsWith('file:') || request.url().startsWith('data:') || wrong.push(request.url()),
    )
    page.on('dialog', (dialog) => wrong.push(`dialog ${dialog.message()}`))
    await page.goto(url + hash)
    await page.waitForSelector('.view')
    return { page, wrong }
  }

  test('shows summary, failures, charts, slowest requests and suites', async () => {
    const { page, wrong } = await open()
    expect((await text(page, '.tiles'))[0]).toMatch(
      /Passed\s+119\s+of 122 steps\s+Failed\s+1\s+1 skipped, 1 not run/,
    )
    expect((await text(page, '.failures b')).join()).toBe('Fetch the profile,Checkout')
    expect((await text(page, '.bars'))[0]).toMatch(/0–100ms\s+71\s+59 %/)
    expect(await page.locator('.time-chart canvas').count()).toBe(1)
    expect(await page.locator('.grid').first().locator('tbody tr').count()).toBe(10)
    expect(await page.locator('.advice .warn').innerText()).toContain('1 request took longer than 2 s')
    expect(wrong).toEqual([])
    await page.close()
  })

  test('shows a step by its address: checks with diff, request, response, scenarios, calls, YAML', async () => {
    const { page, wrong } = await open('#/step/auth/step-2-fetch-the-profile')
    expect(await page.title()).toBe('Fetch the profile · Authentication · Test report')
    expect((await text(page, '.diff'))[0]).toContain('-   "name": "Ada Lovelace",\n+   "name": "Ada",')
    const titles = await text(page, '.section h3')
    expect(titles).toEqual([
      'Assertions',
      'Suite file',
      'Request',
      'Response',
      'Timing',
      'Redirects',
      'Scenarios',
      'Upstream calls',
      'Captured variables',
      'Available variables',
    ])
    const source = page.locator('.code', { has: page.locator('.line') })
    expect(await source.innerText()).toContain('- name: Fetch the profile\n  request:')
    expect(await page.locator('.line').first().getAttribute('data-line')).toBe('21')
    expect(await text(page, 'mark.line')).toEqual(['    body.args.full: "true"'])
    expect(wrong).toEqual([])
    await page.close()
  })

  test('says which limits are not kept, and shows control characters of names escaped', async () => {
    const [auth] = makeRun() as [SuiteResult]
    const suite = { ...auth, suite_name: 'A\u001b[2J', steps_results: [makeStep({ step_name: 'S\u202e' })] }
    const folder = join(directory, 'escaped')
    const url = pathToFileURL(await writePage(folder, [suite], { thresholds: { p95: 1 } })).href
    const { page, wrong } = await open('#/', {}, url)
    expect((await text(page, '.advice .bad')).join()).toMatch(
      /^Threshold not kept: p95 is [\d.]+ ms; the limit is 1 ms\. Look at the slowest requests, or raise report\.thresholds\.p95\.$/,
    )
    const shown = await page.locator('body').innerText()
    expect(shown).toContain(String.raw`A\x1b[2J`)
    expect(shown).toContain(String.raw`S\u202e`)
    expect(shown).not.toMatch(/[\u001b\u202e]/)
    expect(wrong).toEqual([])
    await page.close()
  })

  test('shows a suite with counters and waterfall, and goes from there to a step and back', async () => {
    const { page } = await open('#/suite/auth')
    expect((await text(page, '.tiles'))[0]).toMatch(
      /Successful\s+3\s+Failed\s+1\s+Skipped\s+1\s+Not run\s+0\s+HTTP requests\s+4\s+With iterations\s+0/,
    )
    expect(await page.locator('.wf-bar').count()).toBe(4)
    await page.locator('.waterfall a', { hasText: 'Log out' }).click()
    expect(new URL(page.url()).hash).toBe('#/step/auth/step-5-log-out')
    await page.goBack()
    expect(await page.locator('h2').innerText()).toContain('Authentication')
    await page.close()
  })

  test('searches and filters by status, tag and priority', async () => {
    const { page } = await open()
    const found = (): Promise<string> => page.locator('.found').innerText()
    await page.fill('#search', 'catalogue item 5 get')
    expect(await found()).toContain('28 steps of 122')
    await page.fill('#search', '')
    await page.click('.chip.failure')
    expect(await found()).toContain('1 step of 122')
    expect(await text(page, '.explorer .row.suite .name')).toEqual(['Authentication', 'Checkout'])
    await page.click('text=Clear filters')
    await page.selectOption('select >> nth=0', 'events')
    expect(await found()).toContain('6 steps of 122')
    await page.selectOption('select >> nth=0', '')
    await page.selectOption('select >> nth=1', 'low')
    expect(await found()).toContain('108 steps of 122')
    await page.close()
  })

  test('is used by keyboard alone', async () => {
    const { page } = await open()
    const hash = (): string => new URL(page.url()).hash
    await page.keyboard.press('/')
    await page.keyboard.type('profile')
    await page.keyboard.press('Escape')
    expect(await page.inputValue('#search')).toBe('')
    await page.keyboard.press('Escape')
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key)
    expect(hash()).toBe('#/step/auth/step-1-log-in-with-a-password')
    await page.keyboard.press('f')
    expect(hash()).toBe('#/step/auth/step-2-fetch-the-profile')
    await page.keyboard.press('f')
    expect(hash()).toBe('#/suite/checkout')
    await page.keyboard.press('f')
    expect(hash()).toBe('#/step/auth/step-2-fetch-the-profile')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    expect(hash()).toBe('#/step/auth/step-1-log-in-with-a-password')
    await page.keyboard.press('Escape')
    expect(hash()).toBe('#/suite/auth')
    await page.keyboard.press('?')
    expect(await page.locator('[role=dialog]').innerText()).toContain('next failed step')
    await page.keyboard.press('Escape')
    expect(await page.locator('[role=dialog]').count()).toBe(0)
    await page.keyboard.press('o')
    expect(hash()).toBe('#/')
    await page.close()
  })

  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 1440],
    ['light', 768],
    ['dark', 390],
    ['light', 390],
  ] as const) {
    test(`has no accessibility finding and no sideways scrolling, ${colorScheme}, ${width} px`, async () => {
      for (const hash of [
        '#/',
        '#/suite/auth',
        '#/step/auth/step-2-fetch-the-profile',
        '#/step/retries/step-1',
      ]) {
        const { page, wrong } = await open(hash, { colorScheme, viewport: { width, height: 900 } })
        await unfold(page)
        expect(
          await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ),
        ).toBe(0)
        // The page's own policy forbids foreign scripts; the debugger may run axe all the same.
        const session = await page.context().newCDPSession(page)
        await session.send('Runtime.evaluate', { expression: axe.source })
        const { result } = await session.send('Runtime.evaluate', {
          expression:
            'axe.run({ resultTypes: ["violations"] }).then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.impact, v.nodes[0].html])))',
          awaitPromise: true,
          returnByValue: true,
        })
        expect(JSON.parse(String(result.value))).toEqual([])
        expect(wrong).toEqual([])
        await page.close()
      }
    })
  }

  test('follows the chosen theme and keeps it', async () => {
    const { page } = await open('#/', { colorScheme: 'light' })
    const background = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await background()).toBe('rgb(247, 247, 245)')
    await page.keyboard.press('t')
    await page.keyboard.press('t')
    expect(await background()).toBe('rgb(19, 21, 23)')
    await page.reload()
    expect(await background()).toBe('rgb(19, 21, 23)')
    await page.close()
  })

  test('copies the curl command', async () => {
    const { page } = await open('#/step/auth/step-3-refresh-the-token')
    await page.click('text=Copy curl')
    await expect.poll(() => page.locator('.copy').first().innerText()).toMatch(/^Copied/)
    await page.close()
  })

  test('prints the view without the controls', async () => {
    const { page } = await open('#/step/auth/step-2-fetch-the-profile')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.explorer').isVisible()).toBe(false)
    expect(await page.locator('.diff').isVisible()).toBe(true)
    await page.close()
  })

  test('runs nothing and loads nothing that a suite or a server put into it, in whatever field', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'suitecase-canary-'))
    const url = pathToFileURL(await writePage(folder, [makeHostileSuite()], { errors: [canary] })).href
    const { page, wrong } = await open('#/', {}, url)
    const step = await page.locator('.explorer a.step').first().getAttribute('href')
    const suite = await page.locator('.explorer a.suite').first().getAttribute('href')
    for (const hash of [suite, step]) {
      await page.goto(url + String(hash))
      await unfold(page)
      await page.waitForTimeout(50)
    }
    expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false)
    expect(await page.locator('img, iframe, object, embed, form, base').count()).toBe(0)
    expect(await page.locator('.view').innerText()).toContain('<script>')
    expect(wrong).toEqual([])
    await page.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('opens 10,000 steps within two seconds and keeps few rows in the document', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'suitecase-large-'))
    const path = await writePage(folder, makeLargeRun())
    expect((await stat(path)).size).toBeGreaterThan(19_000_000)
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const started = performance.now()
    await page.goto(pathToFileURL(path).href)
    await page.waitForSelector('.explorer a.step')
    const took = performance.now() - started
    console.log(`opened in ${Math.round(took)} ms`)
    expect(await page.locator('.found').innerText()).toContain('10,000 steps of 10,000')
    expect(await page.locator('.explorer a').count()).toBeLessThan(80)
    await page.locator('.explorer .virtual').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await page.waitForSelector('.explorer a.step >> text=Step 100 of suite 100')
    await page.locator('.explorer a.step').last().click()
    expect(await page.locator('.view h2').innerText()).toContain('Step 100 of suite 100')
    expect(took).toBeLessThan(10_000)
    await page.close()
    await rm(folder, { recursive: true, force: true })
  })
})

test('the page names every script and style it allows, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'suitecase-policy-'))
  const html = await readFile(await writePage(folder, makeRun().slice(0, 1)), 'utf8')
  expect(html).toMatch(
    /content="default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'"/,
  )
  expect(html.match(/<script(?! type="application\/json")/g)).toHaveLength(1)
  expect(html).not.toMatch(/\s(?:src|href)="(?!data:|#)/)
  await rm(folder, { recursive: true, force: true })
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
    warnings: [{ message: canary }],
    redirects: [{ status_code: 302, method: canary, url: `javascript:${canary}`, location: canary }],
    mock_calls: [{ method: canary, url: canary, mock: canary, outcome: 'unhandled' }],
    attempts: [
      {
        attempt: 1,
        start_time: canary,
        duration_ms: 1,
        delay_ms: 0,
        status: 'failure',
        error_message: canary,
      },
    ],
    scenarios_meta: {
      has_scenarios: true,
      executed_count: 1,
      evaluations: [
        {
          index: 1,
          condition: canary,
          matched: true,
          executed: true,
          branch: 'then',
          assertions_added: 0,
          captures_added: 0,
          evaluated: true,
        },
      ],
    },
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
  return buildSuiteResult({
    node_id: canary,
    suite_name: canary,
    file_path: canary,
    priority: canary,
    tags: [canary],
    start_time: '2026-01-02T03:04:05.000Z',
    suite_yaml_content: `- name: x\n  ${canary}`,
    error_message: canary,
    warnings: [{ message: canary }],
    steps: [step],
  })
}

function makeLargeRun(): SuiteResult[] {
  return Array.from({ length: 100 }, (_, suite) =>
    buildSuiteResult({
      node_id: `suite-${suite + 1}`,
      suite_name: `Suite ${suite + 1}`,
      file_path: `tests/suite-${suite + 1}.suite.yaml`,
      priority: 'medium',
      suite_yaml_content: 'suite_name: Large\n',
      steps: Array.from({ length: 100 }, (_, index) =>
        makeStep({
          step_id: `step-${index + 1}`,
          qualified_step_id: `suite-${suite + 1}::step-${index + 1}`,
          step_name: `Step ${index + 1} of suite ${suite + 1}`,
          start_time: new Date(1_767_000_000_000 + suite * 5000 + index * 20).toISOString(),
          captured_variables: { blob: 'x'.repeat(800) },
        }),
      ),
    }),
  )
}
