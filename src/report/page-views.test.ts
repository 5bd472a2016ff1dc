import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import { describe, expect, test } from 'vitest'
import type { StepResult, SuiteResult } from '../run/result.ts'
import { makeExchanges } from './fixtures/make-exchanges.ts'
import { buildResult, figuresOf, makeScenariosMeta, makeStep, makeSuite } from './fixtures/make-results.ts'
import { makeRun } from './fixtures/make-run.ts'
import { createPages, hasBrowser, texts, unfold } from './fixtures/open-page.ts'
import { computePerformance } from './performance/compute-performance.ts'

const facts = { project: 'shop', commit: '1a2b3c4', node: 'v24.1.0', seed: 7 }

const { open, write } = createPages()

describe.runIf(hasBrowser)('the views of the report page', () => {
  test('say what failed first, with numbers that agree', async () => {
    const { page, wrong } = await open(await write(makeRun(), { run: facts }))
    expect(await texts(page, '[aria-label=Summary] dt')).toEqual([
      ...['failed', 'not run', 'flaky', 'warnings', 'passed', 'skipped'],
    ])
    expect(await texts(page, '[aria-label=Summary] a')).toEqual(['2', '1', '1', '1', '118', '1'])
    expect((await texts(page, '.chip')).map((text) => text.trim())).toEqual([
      ...['2 failed', '1 not run', '1 flaky', '1 warning', '118 passed', '1 skipped'],
    ])
    expect(await texts(page, 'h2')).toEqual(['Failed 2', 'Flaky 1', 'Warnings 1', 'Suites', 'Latency'])
    expect(await texts(page, '.entries b')).toEqual([
      ...['Fetch the profile', 'Checkout', 'Retry until the service is there', 'Fetch the profile'],
    ])
    expect((await texts(page, '.entries pre'))[0]).toBe(
      'Expected `body.json.profile` to equal the given object; 2 differences:\n  `body.json.profile.name`: expected "Ada Lovelace", got "Ada"\n  `body.json.profile.roles[0]`: expected "admin", got "editor"\nExpected `body.json.plan` to equal "pro", got "free"',
    )
    expect(await texts(page, '[aria-label="The run"] li')).toEqual([
      ...['2026-01-02 03:04 UTC', '122 steps in 13 suites', 'took 5.73 s', 'commit 1a2b3c4'],
      ...['Node v24.1.0', 'seed 7'],
    ])
    expect((await texts(page, '.row.suite .name')).slice(0, 3)).toEqual([
      ...['Authentication', 'Checkout', 'Retries and slow answers'],
    ])
    expect(await page.title()).toBe('shop')
    const [longest, next] = await page
      .locator('[aria-label=Suites] .bar')
      .evaluateAll((all) =>
        all.map((bar) => bar.style.width).toSorted((a, b) => parseFloat(b) - parseFloat(a)),
      )
    expect([longest, parseFloat(String(next)).toFixed(1)]).toEqual(['100%', '9.7'])
    expect(wrong).toEqual([])
  })

  test('compare with a baseline: newly failed, newly flaky, slower', async () => {
    const before = computePerformance(makeRun().map(figuresOf))
    const faster = before.suites.map((suite) =>
      suite.node_id === 'catalogue-1' ? { ...suite, average_request_ms: 20 } : suite,
    )
    const url = await write(makeRun(), { baseline: { ...before, suites: faster, failed: [], flaky: [] } })
    const { page } = await open(url)
    expect(await page.locator('h2', { hasText: 'baseline' }).innerText()).toMatch(
      /1 newly failed, 1 newly flaky; the average request took 102 ms, 102 ms before$/,
    )
    expect(
      (await texts(page, '.entries pre')).map((text) => text.startsWith('New since the baseline: ')),
    ).toEqual([...[true, false, true, false]])
    expect(await texts(page, '[aria-label=Suites] tr:has-text("Catalogue, part 1") .number')).toContain(
      '+309.2 %',
    )
    await page.goto(await write(makeRun(), { baseline: before }))
    await page.waitForSelector('text=0 newly failed, 0 newly flaky')
    expect((await texts(page, '.entries pre')).join()).not.toContain('New since')
  })

  test('are calm when everything passed, when nothing ran, and when an address is unknown', async () => {
    const red = await open(await write(makeRun().slice(0, 1)))
    expect(await texts(red.page, '.callout.success')).toEqual([])
    const green = await open(await write(makeRun().slice(4)))
    expect(await texts(green.page, 'h2')).toEqual(['Suites', 'Latency'])
    expect(await texts(green.page, '[aria-label=Summary] dd')).toEqual([...['0', '0', '0', '0', '108', '0']])
    expect(await texts(green.page, '.callout.success')).toEqual([
      'Performance is acceptable: all requests took at most 500 ms. ',
    ])
    await green.page.goto(`${green.page.url().replace(/#.*/, '')}#/step/auth/gone`)
    await green.page.waitForSelector('text=This report has nothing at this address')
    expect(await green.page.locator('.view').innerText()).toContain('#/step/auth/gone names no suite or step')
    const empty = await open(await write([]))
    expect(await empty.page.locator('.view').innerText()).toContain('0 steps in 0 suites')
    const later = buildResult({
      ...(makeRun()[0] as SuiteResult),
      steps: [makeStep({ status: 'skipped' })],
    })
    const skipped = await open(await write([later]))
    expect((await texts(skipped.page, '[aria-label="Suites"] td')).slice(-2)).toEqual(['–', '–'])
    expect([...green.wrong, ...empty.wrong, ...skipped.wrong]).toEqual([])
  })

  test('show latency', async () => {
    const { page } = await open(await write(makeRun(), { thresholds: { p95: 1 } }))
    const [threshold, recommendation] = await texts(page, '.callout')
    expect(threshold).toMatch(
      /^Threshold not met: p95 is [\d.]+ ms; report\.thresholds\.p95 allows 1 ms\.\s*$/,
    )
    expect((await texts(page, '[aria-label="Response times"]'))[0]).toMatch(/0–100ms\s+71 \(59 %\)/)
    expect(await page.locator('[aria-label="Slowest requests"] tr:has(td)').count()).toBe(10)
    expect(recommendation).toContain('1 request took longer than 2 s')
  })

  test('show a suite as it ran, and lead from there to a step and back', async () => {
    const { page } = await open(`${await write(makeRun())}#/suite/auth`)
    expect(await page.locator('.facts').innerText()).toMatch(
      /5 steps\s+1 failed\s+3 passed\s+1 skipped\s+75 % success\s+4 requests/,
    )
    expect((await texts(page, '[aria-label=Timeline] tr:nth-child(2)'))[0]).toMatch(
      /^1\s+Log in with a password POST \/post\s+request\s+\d\d:\d\d:\d\d\.\d{3}\s+128 ms$/,
    )
    expect(await page.locator('[aria-label=Timeline] .bar').count()).toBe(4)
    await page.locator('[aria-label=Timeline] a', { hasText: 'Log out' }).click()
    await page.waitForURL(/#\/step\/auth\/step-5-log-out$/)
    await page.goBack()
    await page.waitForSelector('h2:has-text("Authentication")')
    const others = await open(`${await write([makeExchanges()])}#/suite/exchanges`)
    const types = await texts(others.page, '[aria-label=Timeline] td:nth-child(3)')
    expect(new Set(types)).toEqual(new Set(['stream', 'request', 'burst', 'websocket']))
  })

  test('mark the lines of mistakes in a suite, not those of mistakes in files that it reads', async () => {
    const says = (place: string): string => `${place}:1 error unknown-field: Unknown field.`
    const broken = makeSuite([], {
      suite_yaml_content: 'use: [shared.yaml]\nstep: []\nsteps: []\n',
      error_message: [says('tests/auth.suite.yaml:2'), says('tests/shared.yaml:3')].join('\n\n'),
    })
    const { page } = await open(`${await write([broken])}#/suite/auth`)
    expect(await texts(page, 'mark.line')).toEqual(['step: []'])
  })

  test('go back at once, before what a link leads to is painted', async () => {
    const { page } = await open(`${await write(makeRun())}#/suite/auth`)
    await page.evaluate(() => addEventListener('hashchange', () => history.back(), { once: true }))
    await page.locator('[aria-label=Timeline] a', { hasText: 'Log out' }).click()
    await page.waitForFunction(() => location.hash === '#/suite/auth')
    await page.waitForSelector('h2:has-text("Authentication")')
    expect(await page.title()).toBe('Authentication · Test report')
  })

  test('have no accessibility finding and no sideways scrolling, whatever the colours and the width', async () => {
    // One of the catalogue's nine suites shows what all of them show.
    const url = await write([...makeRun().slice(0, 5), makeExchanges()], { run: facts })
    const { page, wrong } = await open(url)
    // The page's policy forbids foreign scripts, but the debugger may still run axe.
    const session = await page.context().newCDPSession(page)
    await session.send('Runtime.evaluate', { expression: axe.source })
    const colours = ['color-contrast', 'link-in-text-block']
    const scrolling = 'scrollable-region-focusable'
    const withList = '#/step/auth/step-2-fetch-the-profile'
    for (const hash of [
      ...['#/', '#/suite/auth', withList, '#/step/retries/step-1', '#/step/exchanges/stream'],
      ...['#/step/exchanges/burst', '#/step/exchanges/image', '#/nothing'],
    ]) {
      await page.goto(url + hash)
      await unfold(page)
      // The list is most of the page, and the same in all views but for the mark at the step that is shown.
      const view = { exclude: hash === withList ? [] : ['.list'] }
      // The style sheet changes nothing but colours in the dark. A phone adds but the button that opens the list.
      for (const [colorScheme, width, rules, context] of [
        ['light', 1440, {}, view],
        ['dark', 768, { runOnly: [...colours, scrolling] }, view],
        ['light', 320, hash === '#/' ? {} : { runOnly: [scrolling] }, view],
        ...(hash === withList ? [['dark', 1440, { runOnly: colours }, '.list'] as const] : []),
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        const sideways = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          return scrollWidth - clientWidth
        })
        const passed = JSON.stringify([context, { resultTypes: ['violations'], ...rules }])
        const { result } = await session.send('Runtime.evaluate', {
          expression: `axe.run(...${passed}).then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.impact, v.nodes[0].html])))`,
          awaitPromise: true,
          returnByValue: true,
        })
        expect([hash, colorScheme, width, sideways, JSON.parse(String(result.value))]).toEqual([
          ...[hash, colorScheme, width, 0, []],
        ])
      }
    }
    expect(wrong).toEqual([])
  })

  test('show on a phone with bars when and how long each step ran, however long its path is', async () => {
    const { request_details: request } = makeStep({})
    const full_url = `http://localhost/${'a'.repeat(99)}`
    const step = makeStep({ request_details: { ...request, full_url } as NonNullable<typeof request> })
    const url = await write([makeSuite([step])])
    const { page } = await open(`${url}#/suite/auth`, { viewport: { width: 390, height: 800 } })
    const timeline = page.locator('[aria-label=Timeline]')
    expect(await timeline.innerText()).toContain('aaa')
    expect(await texts(page, '[aria-label=Timeline] th:visible')).toEqual([
      ...['#', 'Step', 'Time', 'Duration'],
    ])
    expect(await timeline.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  })

  test('leave values room on a phone, however long their names are', async () => {
    const { response_details: response } = makeStep({})
    const headers = { 'access-control-allow-credentials': 'true', date: 'Fri, 27 Nov 2026 17:01:07 GMT' }
    const step = makeStep({ response_details: { ...response, headers } as NonNullable<typeof response> })
    const url = await write([makeSuite([step])])
    const { page } = await open(`${url}#/step/auth/step-1-fetch-profile`, {
      viewport: { width: 320, height: 800 },
    })
    await unfold(page)
    const value = page.locator('[aria-label=Headers] dd', { hasText: 'GMT' })
    expect(await value.evaluate((box) => box.clientWidth)).toBeGreaterThan(110)
  })

  test('put names that are read from the right where others are, and turn nothing beside them around', async () => {
    const suite = makeSuite([makeStep({ step_name: '\u05d0 1', status: 'failure' })], {
      suite_name: '\u05d1 2',
    })
    const { page } = await open(await write([suite]))
    const starts = await page.locator('.list .name').evaluateAll((all) =>
      all.map((one) => {
        const text = document.createRange()
        text.selectNodeContents(one)
        return Math.round(text.getBoundingClientRect().left - one.getBoundingClientRect().left)
      }),
    )
    expect(starts).toEqual([0, 0])
    for (const label of ['Failed', 'Suites'])
      expect(
        await page
          .locator(`[aria-label=${label}] a`)
          .first()
          .evaluate(
            (a) =>
              Number(a.querySelector('svg')?.getBoundingClientRect().right) <=
              Number(a.querySelector('bdi')?.getBoundingClientRect().left),
          ),
      ).toBe(true)
  })

  test('show bars also in forced colours and on paper', async () => {
    const { page } = await open(`${await write(makeRun())}#/suite/auth`, { forcedColors: 'active' })
    const look = (name: string, selector: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), name)
    expect(await look('border-top-color', '.bar')).not.toBe('rgb(255, 255, 255)')
    await page.emulateMedia({ media: 'print', forcedColors: 'none', colorScheme: 'dark' })
    expect(await look('border-top-width', '.bar')).toBe('10px')
    expect(await look('color', 'body')).toBe('rgb(29, 31, 33)')
  })

  test('let the list scroll on a screen that the filters fill', async () => {
    const { page } = await open(await write(makeRun()), { viewport: { width: 360, height: 225 } })
    await page.click('.top button')
    const box = page.locator('.list')
    expect(await box.evaluate((list) => list.scrollHeight)).toBeGreaterThan(300)
    await page.locator('.list a').last().click()
    await page.waitForSelector('.view h2')
  })

  test('break words of any length, and let long values scroll without a mouse', async () => {
    const word = 'a'.repeat(400)
    const failed = { field: 'body', expected: word.repeat(9), actual: 'b', passed: false, message: word }
    const step = makeStep({ step_name: word, step_id: word, status: 'failure', assertions_results: [failed] })
    const url = await write([makeSuite([step], { suite_name: word.repeat(9) })])
    const { page } = await open(url, { viewport: { width: 390, height: 800 } })
    const sideways = (selector: string) =>
      page.locator(selector).evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth))
    expect(await sideways('html, .entries, [aria-label=Suites]')).toEqual([])
    await page.locator('.entries a').first().click()
    await page.waitForSelector('.pairs dd')
    expect(await sideways('html')).toEqual([])
    const scrolling = await page
      .locator('.pairs dd')
      .evaluateAll((all) =>
        all.filter((dd) => dd.scrollHeight > dd.clientHeight + 1).map((dd) => dd.tabIndex),
      )
    expect(scrolling).toEqual([0])
  })

  test('open 10,000 steps at once and keep few rows in the document', async () => {
    const url = await write(makeLargeRun())
    expect((await stat(fileURLToPath(url))).size).toBeGreaterThan(19_000_000)
    const started = performance.now()
    const { page } = await open(url)
    const took = performance.now() - started
    console.log(`opened in ${Math.round(took)} ms`)
    expect(await page.locator('.list [role=status]').innerText()).toContain('10,000 steps of 10,000')
    await page.fill('#search', 'suite')
    await page.waitForSelector('.list .step a')
    expect(await page.locator('.list a').count()).toBe(500)
    expect(await page.locator('.list ol > :not(li)').count()).toBe(0)
    await page.fill('#search', 'suite 100')
    await page.waitForSelector('.list a >> text=Step 100 of suite 100')
    await page.locator('.list a').last().click()
    await page.waitForSelector('.view h2:has-text("Step 100 of suite 100")')
    // Without the search, all suites are closed except the one of the step.
    await page.click('text=Clear filters')
    await page.keyboard.press('k')
    await page.waitForSelector('.view h2:has-text("Step 99 of suite 100")')
    expect(await page.locator('.list a').count()).toBe(200)
    expect(await page.locator('.list [aria-current]').innerText()).toContain('Step 99 of suite 100')
    expect(took).toBeLessThan(10_000)
  })
})

describe.runIf(hasBrowser)('what the report page does with what others wrote', () => {
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

function makeLargeRun(): SuiteResult[] {
  return Array.from({ length: 100 }, (_, suite) =>
    buildResult({
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
    redirects: [
      { status_code: 302, method: canary, url: `javascript:${canary}`, location: canary, target: canary },
    ],
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
