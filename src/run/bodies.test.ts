import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type EchoServer } from '../../server/index.ts'
import { runText, type RanSuite } from './fixtures/run-text.ts'

let echo: EchoServer
let folder: string
beforeAll(async () => {
  echo = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'suitecase-bodies-'))
})
afterAll(async () => {
  await echo.close()
  await rm(folder, { recursive: true })
})

function run(steps: string): Promise<RanSuite> {
  const text = `suite_name: Test\nbase_url: '${echo.url}'\nvariables: { number: 7, way: ../up }\nsteps:\n${steps}`
  return runText(text, { settings: { savedFolder: folder } })
}

test('`body_as` reads a body as another type than its head says', async () => {
  const { outcomes, run: state } = await run(`
  - name: JSON
    request: { url: '/response-headers?content-type=text/plain&a=1' }
    body_as: json
    assert: { body: { a: '1' } }
  - name: Text
    request: { url: /json }
    body_as: text
    assert: { body: { contains: '"slideshow"' } }
  - name: Bytes
    request: { url: /image/png }
    body_as: bytes
    assert: { body: { starts_with: iVBORw0KGgo }, size_bytes: { greater_than: 100 } }
    capture: { image: body }
  - name: No JSON
    request: { url: /html }
    body_as: json
    assert: { body.a: 1 }
  - name: Nothing
    request: { url: /bytes/0 }
    body_as: json
    assert: { body.a: 1 }
`)
  for (const name of ['JSON', 'Text', 'Bytes'])
    expect([name, outcomes[name]?.failures.map(({ message }) => message)]).toEqual([name, []])
  expect(
    Buffer.from(state.captures['image'] as string, 'base64')
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
  expect(outcomes['No JSON']?.failures[0]?.message).toContain('The body is not valid JSON: unexpected `<`')
  expect(outcomes['Nothing']?.failures[0]?.message).toContain('`body_as` says JSON, but the body is empty')
})

test('a capture of elements without a text is doubted', async () => {
  const { outcomes } = await run(`
  - name: Form
    request: { url: /forms/post }
    capture: { a: { css: input }, b: { css: 'input::attr(name)' }, c: { css: input, optional: true } }
`)
  expect(outcomes['Form']?.result.warnings?.map(({ message }) => message)).toEqual([
    'The capture `a` is empty, since what `input` finds has no text; for an attribute, write `::attr(value)` at the end.',
  ])
})

test('JSON written as a text, which a value has made invalid, is doubted', async () => {
  const { outcomes } = await run(`
  - name: Broken
    variables: { q: 'say "hi"' }
    request: { method: POST, url: /post, headers: { content-type: application/json }, body: '{ "a": "{{q}}" }' }
  - name: Fine
    variables: { q: hi }
    request: { method: POST, url: /post, headers: { content-type: application/json }, body: '{ "a": "{{q}}" }' }
  - name: Meant
    variables: { q: '{ oops' }
    request: { method: POST, url: /post, headers: { content-type: application/json }, body: '{{q}}' }
`)
  expect(
    ['Broken', 'Fine', 'Meant'].map((name) => outcomes[name]?.result.warnings?.map(({ message }) => message)),
  ).toEqual([
    [
      'The body that was sent is not valid JSON: `{{…}}` puts values into a text as they are. Write the body as a map or list instead of a text.',
    ],
    undefined,
    undefined,
  ])
})

test('a condition of `retry` on a body that cannot be read does not hold', async () => {
  const { outcomes } = await run(`
  - name: Until
    request: { url: /html }
    body_as: json
    retry: { max_attempts: 2, base_delay_ms: 1, until: body.state !== 'busy' }
  - name: Status
    request: { url: /html }
    body_as: json
    retry: { max_attempts: 2, base_delay_ms: 1, until: status_code === 200 }
  - name: On
    request: { url: /html }
    body_as: json
    retry: { max_attempts: 2, base_delay_ms: 1, on: body.state === 'busy' }
    assert: { status_code: 200 }
`)
  const unread = 'The body is not valid JSON: unexpected `<` at line 1, column 1, near `'
  expect(outcomes['Until']?.result.error_message).toContain(
    `\`retry.until: body.state !== 'busy'\` did not hold after 2 attempts; it gave ${unread}`,
  )
  expect(outcomes['Status']?.failures).toEqual([])
  expect(outcomes['On']?.result.warnings?.map(({ message }) => message)).toEqual([
    expect.stringContaining(`to be true or false, got ${unread}`),
  ])
})

test.runIf(existsSync('/dev/full'))('a `save` that fails leaves no part of the body', async () => {
  await symlink('/dev/full', join(folder, 'full'))
  const { outcomes } = await run(`
  - name: Full
    request: { url: /image/png }
    save: full
`)
  expect(outcomes['Full']?.failures[0]?.message).toMatch(/^The response could not be saved as `full`: ENOSPC/)
  expect(await readdir(folder)).not.toContain('full')
})

test('`save` writes the body as it was received, below its folder and nowhere else', async () => {
  const { outcomes } = await run(`
  - name: Saved
    request: { url: /image/png }
    save: images/{{number}}.png
  - name: Leaves
    request: { url: /image/png }
    save: '{{way}}/image.png'
  - name: Folder
    request: { url: /image/png }
    save: images
`)
  const sent = Buffer.from(await (await fetch(`${echo.url}/image/png`)).arrayBuffer())
  expect(outcomes['Saved']?.failures).toEqual([])
  expect((await readFile(join(folder, 'images/7.png'))).equals(sent)).toBe(true)
  expect(await readdir(join(folder, '..'))).not.toContain('up')
  const messages = ['Leaves', 'Folder'].map((name) => outcomes[name]?.failures[0]?.message)
  expect(messages).toEqual([
    'The response was not saved: `../up/image.png` is not a valid file name inside the folder: use a relative path with `/`, without `..`, a drive letter or a leading `/`.',
    expect.stringMatching(/^The response could not be saved as `images`: EISDIR.*, open '[^']*images'$/),
  ])
})

test('XPath and CSS look into XML and HTML: texts, lists of them, counts, and captures', async () => {
  const { outcomes, run: state } = await run(`
  - name: XML
    request: { url: /xml }
    assert:
      xpath:
        /slideshow/@title: Sample Slide Show
        count(//slide): 2
        //slide/title: ['Wake up to WonderWidgets!', Overview]
        //slide/title[1]: { some: { contains: Overview } }
        //item: { length: 3 }
        //item[1]/em: { length: 1, pattern: ^Wonder, not: { contains: x } }
        //nobody: { exists: false }
      css: { 'slide > title': { some: { contains: Wake up } } }
    capture:
      title: { xpath: '//slide[2]/title' }
      types: { xpath: //slide/@type }
      none: { xpath: //nobody, optional: true }
      count: { xpath: count(//slide) }
  - name: HTML
    request: { url: /html }
    assert: { css: { h1: Herman Melville - Moby-Dick, p: { minLength: 1, notEmpty: true }, 'a[href]': { exists: false } } }
    capture: { title: { css: h1 } }
  - name: Other type
    request: { url: /anything, method: POST, body: '<a href="/next">Go</a>' }
    body_as: html
    capture: { text: { css: a }, link: { css: 'a::attr(href)' } }
`)
  for (const name of ['XML', 'HTML', 'Other type'])
    expect([name, outcomes[name]?.failures.map(({ message }) => message)]).toEqual([name, []])
  expect(state.captures).toMatchObject({
    types: ['all', 'all'],
    none: null,
    count: '2',
    title: 'Herman Melville - Moby-Dick',
    text: 'Go',
  })
  expect(outcomes['XML']?.result.assertions_results[0]).toEqual({
    field: 'xpath["/slideshow/@title"].equals',
    expected: 'Sample Slide Show',
    actual: 'Sample Slide Show',
    passed: true,
    message: 'OK',
  })
})

test('what does not match, or cannot be read, is a failure with words', async () => {
  const { outcomes } = await run(`
  - name: Differs
    request: { url: /xml }
    assert: { xpath: { //slide/title: Overvieww, //nobody: 1, 'count(//slide)': { greater_than: 2 } } }
    capture: { gone: { xpath: //nobody } }
  - name: No XML
    request: { url: /html }
    assert: { xpath: { //h1: { exists: false } } }
  - name: JSON
    request: { url: /json }
    assert: { css: { h1: { exists: false } } }
  - name: Broken
    request: { url: /json }
    body_as: xml
    assert: { xpath: { //h1: Hi } }
`)
  const messages = (name: string) => outcomes[name]?.failures.map(({ message }) => message)
  expect(messages('Differs')).toEqual([
    'The `equals` check of `xpath["//slide/title"]` needs a single value, got 2: `["Wake up to WonderWidgets!","Overview"]` (array). Write `some: {equals: …}` if one of them must pass, `each: {equals: …}` if all must',
    'xpath["//nobody"]: `//nobody` found nothing',
    'Expected `xpath["count(//slide)"]` to be greater than 2, got `2` (number)',
    'The capture `gone` has no value: `//nobody` found nothing',
  ])
  expect(messages('No XML')?.[0]).toContain(
    '`xpath` reads XML, but the response is text/html; charset=utf-8. Write `css`; for XHTML, `body_as: xml` beside `request` reads it anyway',
  )
  expect(messages('JSON')?.[0]).toContain('`css` reads HTML or XML, but the response is application/json')
  expect(messages('Broken')?.[0]).toContain('The body could not be read as XML: ')
})

test('a condition of `retry` or of a scenario on a body that cannot be read has a line of its own', async () => {
  const { outcomes } = await run(`
  - name: Cut
    request: { url: /html }
    body_as: json
    assert: { body: { a: 1, b: 1 } }
    retry: { max_attempts: 1, until: body.a }
    scenarios: [{ condition: 'body.a', then: { assert: { body.c: 1 } } }]
`)
  const reason =
    'The body is not valid JSON: unexpected `<` at line 1, column 1, near `<!DOCTYPE html>\\n<ht…`'
  expect(outcomes['Cut']?.failures.map(({ message }) => message)).toEqual([
    `\`retry.until: body.a\` did not hold after 1 attempt; it gave ${reason}.`,
    `The condition \`body.a\` could not be evaluated: ${reason}`,
    `${reason}\nThese could not be checked: body.a, body.b`,
  ])
})

test('a body that cannot be read is told once, also where the checks are of the whole', async () => {
  const { outcomes } = await run(`
  - name: Cut
    request: { url: /html }
    body_as: json
    assert: { body: { length: 3, sorted_by: id, each: { id: 1 } } }
`)
  expect(outcomes['Cut']?.failures.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The body is not valid JSON: [^\n]+\nThese could not be checked: body$/),
  ])
})
