import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
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
  expect(Buffer.from(state.captures['image'] as string, 'base64').subarray(1, 4).toString()).toBe('PNG')
  expect(outcomes['No JSON']?.failures[0]?.message).toContain('The body is not valid JSON: unexpected `<`')
  expect(outcomes['Nothing']?.failures[0]?.message).toContain('`body_as` says JSON, but the body is empty')
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
    'The answer was not saved: `../up/image.png` is no name of a file below the folder: write names with `/` between them, without `..`, a drive or a `/` at the start.',
    expect.stringMatching(/^The answer could not be saved as `images`: EISDIR/),
  ])
})
