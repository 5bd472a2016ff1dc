import { describe, expect, test } from 'vitest'
import { makeRun } from './fixtures/make-run.ts'
import { createPages, hasBrowser, texts } from './fixtures/open-page.ts'

describe.runIf(hasBrowser)('the list of the report page', () => {
  const { open, write } = createPages()

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
