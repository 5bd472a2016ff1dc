import { describe, expect, test } from 'vitest'
import { leaveOut } from './fixtures/make-auth-suite.ts'
import { makeExchanges } from './fixtures/make-exchanges.ts'
import { buildResult, makeStep, makeSuite } from './fixtures/make-results.ts'
import { makeRun } from './fixtures/make-run.ts'
import { createPages, hasBrowser, texts } from './fixtures/open-page.ts'

const { open, write } = createPages()

describe.runIf(hasBrowser)('the list of the report page', () => {
  test('is searched, also in messages, and filtered by status, tag and priority', async () => {
    const { page } = await open(await write(makeRun()))
    const found = (): Promise<string> => page.locator('.list [role=status]').innerText()
    await page.fill('#search', 'catalogue item 5 get')
    expect(await found()).toContain('28 steps of 122')
    await page.fill('#search', 'got "free"')
    expect(await texts(page, '.list .name')).toEqual(['Authentication', 'Fetch the profile'])
    await page.fill('#search', '')
    await page.click('.chip.failure')
    expect(await found()).toContain('1 step of 122')
    expect(await texts(page, '.row.suite .name')).toEqual(['Authentication', 'Checkout'])
    await page.click('text=Clear filters')
    await page.click('.chip.flaky')
    expect(await texts(page, '.row.step .name')).toEqual(['Retry until the service is there'])
    await page.click('text=Clear filters')
    await page.selectOption('select >> nth=0', 'events')
    expect(await found()).toContain('6 steps of 122')
    await page.selectOption('select >> nth=0', '')
    await page.selectOption('select >> nth=1', 'low')
    expect(await found()).toContain('108 steps of 122')
  })

  test('keeps its filters in the address: over views, a reload, and for others', async () => {
    const url = await write(makeRun())
    const { page } = await open(`${url}#/?status=failure,flaky&q=the`)
    const names = [
      'Authentication',
      'Fetch the profile',
      'Retries and slow answers',
      'Retry until the service is there',
    ]
    expect(await texts(page, '.list .name')).toEqual(names)
    await page.click('.list >> text=Fetch the profile')
    await page.waitForURL(/#\/step\/auth\/step-2-fetch-the-profile\?q=the&status=failure%2Cflaky$/)
    await page.reload()
    expect(await page.inputValue('#search')).toBe('the')
    expect(await texts(page, '.list .name')).toEqual(names)
    expect(await page.locator('.view h2').innerText()).toContain('Fetch the profile')
    await page.click('text=Clear filters')
    await page.waitForURL(/#\/step\/auth\/step-2-fetch-the-profile$/)
  })

  test('shows a filter that nothing passes, so that it can be taken away', async () => {
    const { page } = await open(await write(makeRun().slice(4)))
    await page.click('[aria-label=Summary] a')
    await page.waitForSelector('.list [role=status] >> text=0 steps of 108')
    // Going to what is already shown adds no step to the history.
    const length = await page.evaluate(() => history.length)
    await page.click('[aria-label=Summary] a')
    expect(await page.evaluate(() => history.length)).toBe(length)
    await page.click('.chip >> text=0 failed')
    await page.waitForSelector('.list [role=status] >> text=108 steps of 108')
    expect(await texts(page, '.chip')).toEqual([' 108 passed'])
  })

  test('opens and closes suites; those that failed are open and first', async () => {
    const { page } = await open(await write(makeRun()))
    expect(await texts(page, '.row [aria-expanded=true] + a .name')).toEqual([
      ...['Authentication', 'Checkout', 'Retries and slow answers'],
    ])
    await page.click('[aria-label="Close Authentication"]')
    expect(await texts(page, '.row.step .name')).not.toContain('Fetch the profile')
    await page.click('[aria-label="Open Webhooks"]')
    expect(await texts(page, '.row.step .name')).toContain('Register the webhook')
  })

  test('is used by keyboard alone', async () => {
    const { page } = await open(await write(makeRun()))
    const at = async (hash: string): Promise<void> => {
      await expect.poll(() => page.evaluate(() => location.hash)).toBe(hash)
    }
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('main h1'))).not.toBeNull()
    await press('/')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('search')
    await page.keyboard.type('profile')
    await press('Escape', 'j')
    await at('#/suite/auth?q=profile')
    await page.click('text=Clear filters')
    await press('j')
    await at('#/step/auth/step-1-log-in-with-a-password')
    await press('f')
    await at('#/step/auth/step-2-fetch-the-profile')
    await press('f')
    await at('#/suite/checkout')
    await press('f')
    await at('#/step/auth/step-2-fetch-the-profile')
    await press('k')
    await at('#/step/auth/step-1-log-in-with-a-password')
    await press('j')
    await at('#/step/auth/step-2-fetch-the-profile')
    await press('j')
    await at('#/step/auth/step-3-refresh-the-token')
    await press('Escape')
    await at('#/suite/auth')
    await press('o')
    await at('#/')
    await Promise.all(['j', 'j', 'j'].map((key) => press(key)))
    await at('#/step/auth/step-2-fetch-the-profile')
  })

  test('is opened by a button on a phone', async () => {
    const { page } = await open(await write(makeRun()), { viewport: { width: 390, height: 800 } })
    expect(await page.locator('.list').isVisible()).toBe(false)
    await page.click('.top button')
    expect(await page.locator('.list').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.list').isVisible()).toBe(false)
    await page.keyboard.press('/')
    expect(await page.locator('.list').isVisible()).toBe(true)
    await page.click('.list >> text=Fetch the profile')
    await expect.poll(() => page.locator('.list').isVisible()).toBe(false)
    await page.waitForSelector('.view h2:has-text("Fetch the profile")')
    await page.click('h1 a')
    await page.click('[aria-label=Summary] a')
    await page.waitForSelector('.list [role=status] >> text=1 step of 122')
  })

  test('is light or dark as the system is', async () => {
    const { page } = await open(await write(makeRun()))
    const read = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await read()).toBe('rgb(247, 247, 245)')
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await read()).toBe('rgb(19, 21, 23)')
  })
})

describe.runIf(hasBrowser)('a step on the report page', () => {
  test('that failed shows check, expected, received, request and answer side by side, without scrolling', async () => {
    const { page, wrong } = await open(`${await write(makeRun())}#/step/auth/step-2-fetch-the-profile`)
    expect(await page.title()).toBe('Fetch the profile · Authentication · Test report')
    expect(await texts(page, '.callout h3 code')).toEqual([
      'body.json.profile.equals',
      'body.json.plan.equals',
    ])
    // Keys are sorted, so that only differences are marked.
    expect(await texts(page, '.diff .minus, .diff .plus')).toEqual([
      ...['-   "name": "Ada Lovelace",', '+   "name": "Ada",', '-     "admin",'],
    ])
    expect(await texts(page, '.callout .pairs dd')).toEqual(['"pro"', '"free"'])
    const [request, response] = await page
      .locator('.panel')
      .evaluateAll((all) => all.map((panel) => panel.getBoundingClientRect().toJSON() as DOMRect))
    expect(request?.top).toBe(response?.top)
    expect(response?.bottom).toBeLessThan(900)
    const shown = await page.locator('.view').innerText()
    expect(shown.split('Ada Lovelace')).toHaveLength(2)
    expect(await texts(page, '.view > details > summary')).toEqual([
      ...['Suite file from line 21', 'Passed checks 1 of 3', 'Upstream calls 2', 'Timing in ms 3'],
      ...['Redirects 1', 'Scenarios 2', 'Available variables 1'],
    ])
    expect(await page.locator('.line').first().getAttribute('data-line')).toBe('21')
    expect(await texts(page, 'mark.line')).toEqual(['    body.args.full: "true"'])
    expect(await texts(page, '.line .t-word')).toContain('{{access_token}}')
    expect(wrong).toEqual([])
  })

  test('tells which elements are equal, that hidden values differ, and from which file a check is', async () => {
    const row = { expected: true, actual: [1, 1], passed: false }
    const unique = 'Expected `body.a` to have no equal elements: 1 at [0] and [1]'
    const from = 'Expected `status_code` to be 201, got 200 (from shared.yaml:2)'
    const apart = 'Expected `body.token` to equal `[redacted]`, got `[redacted]`; the two differ'
    const rows = [
      { ...row, field: 'body.a.unique', message: unique },
      { ...row, field: 'body.token.equals', message: apart },
      { ...row, field: 'status_code', message: from },
      { ...row, field: 'status_code', message: 'Expected `status_code` to be 201, got 200' },
    ]
    const step = makeStep({ status: 'failure', assertions_results: rows })
    const { page } = await open(`${await write([makeSuite([step])])}#/step/auth/step-1-fetch-profile`)
    expect(await texts(page, '.callout .message')).toEqual(
      [unique, apart, from].map((text) => text.replaceAll('`', '')),
    )
  })

  test('says in words what a check wants that is no value, and of mocks only what happened', async () => {
    const row = { actual: 'sold out', passed: false, message: 'Expected `it` to be something else' }
    const rows = [
      { ...row, field: 'body.state.starts_with', expected: 'starts with "on"' },
      { ...row, field: 'body.state.equals', expected: 'on sale' },
      { ...row, field: 'body.state.contains', expected: '5' },
      { ...row, field: 'mocks', expected: 'as mocked', message: 'nothing was mocked' },
    ]
    const step = makeStep({ status: 'failure', assertions_results: rows })
    const { page } = await open(`${await write([makeSuite([step])])}#/step/auth/step-1-fetch-profile`)
    expect(await texts(page, '.callout dd:first-of-type')).toEqual(['starts with "on"', '"on sale"', '"5"'])
    expect(await texts(page, '[aria-label="Failed check mocks"] > :not(h3)')).toEqual(['nothing was mocked'])
  })

  test('shows an answer of `null` as a body', async () => {
    const { response_details: answer } = makeStep({})
    const steps = [null, ''].map((body) => makeStep({ response_details: { ...answer, body } as never }))
    const address = `${await write([makeSuite(steps)])}#/step/auth/step-1-fetch-profile`
    const { page } = await open(address)
    const body = page.locator('.exchange > :nth-child(2)')
    expect(await body.innerText()).toMatch(/\nnull\n/)
    await page.goto(`${address}~2`)
    await expect.poll(() => body.innerText()).toContain('No body.')
  })

  test('tells steps with one id from a step that is named like an address', async () => {
    const steps = ['a', 'a', 'a~2'].map((id, index) =>
      makeStep({ step_id: id, step_name: `Step ${index}`, qualified_step_id: `auth::${id}` }),
    )
    const { page } = await open(await write([makeSuite(steps)]))
    const links = await page
      .locator('a[href^="#/step/"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(new Set(links)).toEqual(new Set(['#/step/auth/a', '#/step/auth/a~2', '#/step/auth/a%7E2']))
  })

  test('compares only what can be compared, and says what no check says', async () => {
    const rows = [
      {
        field: 'body.items.each',
        expected: { id: { exists: true } },
        actual: [{}],
        passed: false,
        message: 'Expected `body.items[0].id` to exist; 1 of 1',
      },
      {
        field: 'body.count.equals',
        expected: 1,
        actual: '1',
        passed: false,
        message: 'Expected `body.count` to equal 1, got "1"; see there',
      },
      {
        field: 'Enough',
        expected: 'body.n > 3',
        actual: false,
        passed: false,
        message: 'There must be enough',
      },
      {
        field: 'Paid',
        expected: 'body.paid',
        actual: false,
        passed: false,
        message: 'It must be paid',
      },
      {
        field: 'body.equals',
        expected: { a: 1 },
        actual: { a: 1 },
        passed: false,
        message: 'Expected `body` to equal the given object, which no line of it shows; see there',
      },
      {
        field: 'status_code',
        expected: 200,
        actual: 503,
        passed: false,
        message: 'Expected `status_code` to be 200, got 503 (response 2 of 7)',
      },
      {
        field: 'body.prices.each',
        expected: { less_than: 3 },
        actual: [4],
        passed: false,
        message: 'Expected every element of `body.prices` to pass; 1 of 1 did not:\n  `body.prices[0]`',
      },
    ]
    const error_message = [
      rows[0]?.message,
      rows[1]?.message,
      'These could not be checked: body.id',
      'Enough: There must be enough',
      'Paid: It must be paid: `body.paid` is `false`',
      'capture `id`: nothing there',
    ].join('\n')
    const step = makeStep({ status: 'failure', assertions_results: rows, error_message })
    const { page } = await open(`${await write([makeSuite([step])])}#/step/auth/step-1-fetch-profile`)
    expect(await page.locator('.diff').count()).toBe(0)
    expect(await texts(page, '.callout .message')).toEqual([
      'Expected body.items[0].id to exist; 1 of 1',
      'Expected body.count to equal 1, got "1"; see there',
      'There must be enough',
      'It must be paid',
      'Expected body to equal the given object, which no line of it shows; see there',
      'Expected status_code to be 200, got 503 (response 2 of 7)',
      'Expected every element of body.prices to pass; 1 of 1 did not:\n  body.prices[0]',
    ])
    expect((await texts(page, '.callout .pairs')).at(4)).toMatch(
      /^Expected\s+\{[^]+\}\s+Received\s+\{[^]+\}$/,
    )
    const rest = [
      'These could not be checked: body.id',
      'Paid: It must be paid: `body.paid` is `false`',
      'capture `id`: nothing there',
    ]
    expect(await texts(page, 'pre.callout')).toEqual([rest.join('\n')])
  })

  test('that passed on its third attempt is flaky, and shows what each attempt was answered', async () => {
    const { page } = await open(`${await write(makeRun())}#/step/retries/step-1`)
    expect(await page.locator('h2').innerText()).toContain('flaky: passed on attempt 3')
    expect(await page.locator('h2 .status').getAttribute('aria-label')).toBe('flaky')
    const attempts = page.locator('[aria-label=Attempts] > li')
    expect((await attempts.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      '14 ms Attempt 1: 503 Expected `status_code` to equal 200, got 503',
      '15 ms Attempt 2: 503 after 1 s Expected `status_code` to equal 200, got 503',
      '17 ms Attempt 3: 200 after 2 s',
    ])
    await attempts.first().locator('summary').click()
    expect(await attempts.first().locator('pre').innerText()).toContain('"error": "The service is starting."')
    // Its answer was empty.
    expect(await attempts.nth(1).locator('summary').count()).toBe(0)
  })

  test('says of a passed check what it wanted and what it got, not what a failure would have said', async () => {
    const row = { passed: true, message: 'OK' }
    const rows = [
      { ...row, field: 'body.id.equals', expected: 7, actual: 7 },
      { ...row, field: 'body.name.minLength', expected: '>= 3', actual: 15 },
      { ...row, field: 'body.gone.exists', expected: false, actual: null },
      { ...row, field: 'body.text.contains', expected: 'lamp', actual: 'a lamp '.repeat(20) },
      { ...row, field: 'fast', expected: 'response_time < 5', actual: 'true', message: 'too slow' },
    ]
    const step = makeStep({ assertions_results: rows })
    const { page } = await open(`${await write([makeSuite([step])])}#/step/auth/step-1-fetch-profile`)
    expect(await texts(page, '[aria-label="Passed checks"] td')).toEqual([
      ...[
        'body.id.equals',
        '7',
        '7',
        'body.name.minLength',
        '>= 3',
        '15',
        'body.gone.exists',
        'false',
        'null',
      ],
      ...['body.text.contains', 'lamp', `${'a lamp '.repeat(9).slice(0, 59)}…`],
      ...['fast', 'response_time < 5', 'true'],
    ])
  })

  test('that was skipped leads to the step that is to blame', async () => {
    const { page } = await open(`${await write(makeRun())}#/step/auth/step-4-use-the-plan-of-the-profile`)
    await page.click('text=Go to “Fetch the profile”')
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/step/auth/step-2-fetch-the-profile')
    const skip_reason = 'needs `auth.plan`, which step “Fetch” (tests/api/auth.suite.yaml:21) did not provide'
    const reader = makeSuite([makeStep({ status: 'skipped', skip_reason })], { node_id: 'reader' })
    await page.goto(`${await write([...makeRun(), reader])}#/step/reader/step-1-fetch-profile`)
    await page.click('text=Go to “Fetch the profile”')
    await page.waitForSelector('h2:has-text("Fetch the profile")')
  })

  test('shows what an upstream service was sent and answered', async () => {
    const { page } = await open(`${await write(makeRun())}#/step/auth/step-2-fetch-the-profile`)
    const calls = page.locator('[aria-label="Upstream calls"] > li')
    await calls.first().locator('summary').click()
    await calls.first().locator('pre').last().waitFor()
    expect(await calls.first().locator('pre').allInnerTexts()).toEqual([
      '{\n  "user": "ada"\n}',
      '{\n  "plan": "free",\n  "seats": 3\n}',
    ])
    expect(await calls.last().innerText()).toContain('unhandled')
  })

  test('of a stream shows its events, that of a WebSocket its messages, a burst opens', async () => {
    const url = await write([makeExchanges()])
    const { page, wrong } = await open(`${url}#/step/exchanges/stream`)
    expect((await texts(page, '[aria-label=Events] > li')).map((text) => text.slice(0, 30))).toEqual([
      ...[
        '12 ms placed 1 { "order": 17, ',
        '340 ms paid 2 { "order": 17, "',
        '1.2 s shipped { "order": 17, "',
      ],
    ])
    await page.goto(`${url}#/step/exchanges/socket`)
    await page.waitForSelector('h2:has-text("Chat")')
    expect(await page.locator('summary', { hasText: 'Messages' }).innerText()).toBe('Messages 3')
    expect(await texts(page, '[aria-label=Messages] > li')).toEqual([
      ...['3 ms ↑ sent hello', '9 ms ↓ received { "echo": "hello" }'],
      ...['11 ms ↓ received binary: AAEC', 'closed with 1000'],
    ])
    await page.goto(`${url}#/step/exchanges/burst`)
    expect(await page.locator('summary', { hasText: 'Burst' }).innerText()).toMatch(
      /Burst of 20\s+19 × 200, 1 × 503; 10 at once, the slowest 51 ms/,
    )
    expect(await page.locator('[aria-label="Burst of 20"]').count()).toBe(0)
    await page.click('text=Burst of 20')
    await expect.poll(() => page.locator('[aria-label="Burst of 20"] > li').count()).toBe(20)
    // A burst shows no verdict on single answers, which is for the checks to say.
    expect(await page.locator('[aria-label="Burst of 20"] .status').count()).toBe(0)
    expect(wrong).toEqual([])
  })

  test('of a stream says when no event came', async () => {
    const answer = makeStep({}).response_details
    const step = makeStep({ ...(answer && { response_details: { ...answer, events: [] } }) })
    const { page } = await open(`${await write([makeSuite([step])])}#/step/auth/step-1-fetch-profile`)
    expect(await texts(page, '[aria-label=Events] > li')).toEqual(['None received.'])
  })

  test('shows an image, other bytes as a file, and bytes in text as their number', async () => {
    const url = await write([makeExchanges()])
    const { page, wrong } = await open(`${url}#/step/exchanges/image`)
    await page.waitForFunction(() => document.querySelector('img')?.naturalWidth === 8)
    await page.goto(`${url}#/step/exchanges/pdf`)
    const file = page.locator('a', { hasText: 'Download application/pdf' })
    expect(await file.getAttribute('href')).toMatch(/^data:application\/pdf;base64,/)
    await page.goto(`${url}#/step/exchanges/bytes`)
    await page.locator('.panel pre', { hasText: /^\[binary data\]$/ }).waitFor()
    expect(wrong).toEqual([])
  })

  test('with many failed checks or headers shows the first, and the rest on request', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => ({
      field: `body.k${index}.equals`,
      expected: index === 0 ? 'one\ntwo' : 1,
      actual: index === 0 ? 'three\n'.repeat(1000) : 2,
      passed: false,
      message: 'No',
    }))
    const { request_details: request } = makeStep({})
    const headers = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-${index}`, 'v']))
    const request_details = { ...request, headers } as NonNullable<typeof request>
    const step = makeStep({ status: 'failure', assertions_results: rows, request_details })
    const { page } = await open(`${await write([makeSuite([step])])}#/step/auth/step-1-fetch-profile`)
    const count = (): Promise<number[]> =>
      Promise.all(['.callout', '[aria-label=Headers] dt'].map((one) => page.locator(one).count()))
    expect(await count()).toEqual([20, 100])
    expect(await page.locator('.diff > span').count()).toBe(400)
    await page.click('text=Show all 50')
    await page.click('text=Show all 300')
    expect(await count()).toEqual([50, 300])
  })

  test('is not pushed off the screen by a long address or message', async () => {
    const { request_details: request } = makeStep({})
    const request_details = { ...request, full_url: `http://a/${'b/'.repeat(3000)}` } as NonNullable<
      typeof request
    >
    const row = {
      field: 'sum',
      expected: 'a === b',
      actual: false,
      passed: false,
      message: 'm '.repeat(4000),
    }
    const step = makeStep({ status: 'failure', assertions_results: [row], request_details })
    const url = await write([makeSuite([step])])
    const { page } = await open(`${url}#/step/auth/step-1-fetch-profile`)
    const measure = async (selector: string): Promise<number> =>
      (await page.locator(selector).first().boundingBox())?.height ?? 0
    expect(await measure('.facts')).toBeLessThan(120)
    expect(await measure('.callout')).toBeLessThan(480)
    expect(await page.locator('.message').getAttribute('tabindex')).toBe('0')
    for (const [hash, selector] of [
      ['#/suite/auth', '[aria-label=Timeline]'],
      ['#/', '[aria-label="Slowest requests"]'],
    ] as const) {
      await page.goto(url + hash)
      await page.waitForSelector(selector)
      expect(await measure(selector)).toBeLessThan(300)
    }
  })

  test('that did not run shows the code frame of its suite in letters of one width', async () => {
    const error_message = 'a.suite.yaml:2:3 error bad-value: No.\n> 2 |   x\n    |   ^'
    const steps = [leaveOut(makeStep({ status: 'not_run' }))]
    const suite = buildResult({ ...makeSuite([]), steps, error_message })
    const { page } = await open(`${await write([suite])}#/step/auth/step-1-fetch-profile`)
    expect(await texts(page, 'pre.callout')).toEqual([error_message])
  })

  test('shows a high picture no higher than a screen', async () => {
    const data = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="50" height="4000"/>')}`
    const { response_details: answer } = makeStep({})
    const response_details = { ...answer, body: data } as NonNullable<typeof answer>
    const { page } = await open(
      `${await write([makeSuite([makeStep({ response_details })])])}#/step/auth/step-1-fetch-profile`,
    )
    const { width, height } = (await page.locator('img').boundingBox()) ?? { width: 0, height: 0 }
    expect([width, height]).toEqual([6, 480])
  })

  test('names its iterations', async () => {
    const { page } = await open(await write([makeExchanges()]))
    expect((await texts(page, '.list .step .name')).slice(-3)).toEqual([
      ...['Greet · user: Ada', 'Greet · user: Grace', 'Greet · user: Edsger'],
    ])
    await page.click('text=Greet · user: Grace')
    await page.waitForURL(/#\/step\/exchanges\/greet~2$/)
    await page.evaluate(() => void (location.hash = '#/suite/exchanges'))
    await page.waitForSelector('[aria-label="The suite"] >> text=1 step with iterations')
  })

  test('copies the curl command', async () => {
    const { page } = await open(`${await write(makeRun())}#/step/auth/step-2-fetch-the-profile`)
    await page.click('.panel >> text=Copy curl')
    await expect.poll(() => page.locator('.panel .copy').first().innerText()).toMatch(/^Copied/)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl /)
  })

  test('copies the command that runs the step again as a shell takes it', async () => {
    const suite = buildResult({
      ...makeSuite([]),
      file_path: 'my tests/a.yaml',
      steps: [makeStep({ line: 4 })],
    })
    const { page } = await open(`${await write([suite])}#/step/auth/step-1-fetch-profile`)
    await page.click('text=Copy command')
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe("npx vitest run 'my tests/a.yaml:4'")
  })

  test('offers no curl command where there is none, as for a WebSocket', async () => {
    const { curl_command: _curl, ...request_details } = makeStep({}).request_details as object & {
      curl_command?: string
    }
    const suite = makeSuite([makeStep({ request_details: request_details as never })])
    const { page } = await open(`${await write([suite])}#/step/auth/step-1-fetch-profile`)
    const [request] = await texts(page, '.panel')
    expect(request).toContain('Raw request')
    expect(request).not.toContain('curl')
  })

  test('shows control characters of names and values escaped, and prints without the controls', async () => {
    const row = { field: 'body.a.equals', expected: 'E\u2066', actual: 'R\u202e', message: '', passed: false }
    const details = makeStep({}).response_details
    const step = makeStep({
      step_name: 'S\u202e',
      status: 'failure',
      assertions_results: [row],
      response_details: {
        ...details,
        body: { a: 'B\u202e', lines: Array.from({ length: 995 }, String) },
      } as never,
    })
    const suite = buildResult({ ...makeSuite([]), suite_name: 'A\u001b[2J', steps: [step] })
    const { page, wrong } = await open(`${await write([suite])}#/step/auth/step-1-fetch-profile`)
    const shown = await page.locator('body').innerText()
    expect(shown).toContain(String.raw`A\x1b[2J`)
    for (const text of [String.raw`S\u202e`, String.raw`E\u2066`, String.raw`R\u202e`, String.raw`B\u202e`])
      expect(shown).toContain(text)
    expect(shown).not.toMatch(/[\u001b\u202e\u2066]/)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.list').isVisible()).toBe(false)
    expect(await page.locator('.panel').first().isVisible()).toBe(true)
    expect(await page.locator('button:visible').allInnerTexts()).toEqual(['Show all 1,000'])
    expect(wrong).toEqual([])
  })
})
