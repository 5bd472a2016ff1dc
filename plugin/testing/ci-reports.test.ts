import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'
import { shareRun } from './fixtures/shared-run.ts'

/** A suite with every outcome, and with everything that XML, terminals and workflow commands could stumble over. */
const hostile = (url: string): string => String.raw`
suite_name: "J & \"co\" <1> ]]> \u001b[31m \u202e"
base_url: ${url}
steps:
  - name: "Broken, <b>: \ufffe %0A::error::x"
    request: { url: /status/500 }
    assert: { status_code: 200 }
    capture: { token: body.json.token }
  - name: Needs it
    request: { url: '/anything/{{token}}' }
  - name: Left out
    skip: true
    request: { url: /anything }
  - name: Wrong body
    request: { method: POST, url: /post, body: { name: "bob\u0000\u0001 ]]> </failure> \ud800", list: [1, 2] } }
    assert:
      body:
        json: { name: alice, list: [1, 3] }
  - name: Fine
    request: { url: /get }
`

const broken = 'suite_name: Broken\nsteps:\n  - name: One\n    request: { url: 5 }\n    asert: {}\n'

const schema = await readFile(join(import.meta.dirname, 'fixtures/junit.xsd'), 'utf8')

/** What the schema rejects. Empty if the file conforms to it. */
async function findRefusals(xml: string): Promise<string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: 'junit.xml', contents: xml }], schema })
  return errors.map(({ message }) => message)
}

const inOneRun = shareRun(
  { suites: '{ report: { thresholds: { p95: 0 } } }' },
  '--reporter=junit',
  '--outputFile.junit=junit.xml',
  '--reporter=github-actions',
)
const outcomes = inOneRun((url) => {
  // A warning before the mistakes; of such a file it is no annotation.
  const rows = "each: [{ a: '{{b}}' }]\n"
  return {
    'sub/a.suite.yaml': hostile(url),
    'broken.suite.yaml': rows + broken,
    'warned.suite.yaml': `suite_name: W\nsteps:\n  - { name: A, request: { url: '${url}/get?{{tokn}}' } }\n`,
    'shared/headers.yaml': 'defaults:\n  haeders: {}\n',
    'reader.suite.yaml': `${rows}suite_name: R\nuse: [./shared/headers.yaml]\nsteps: [{ name: A, request: { url: ${url} } }]\n`,
  }
})

test('JUnit files keep to the schema of CI servers, whatever suites and answers contain, and say why steps were skipped', async () => {
  const { code, project } = await outcomes()
  expect(code).toBe(1)
  const xml = await project.read('junit.xml')
  expect(await findRefusals(xml)).toEqual([])
  expect(await findRefusals(xml.replace('<testcase ', '<testcase place="x" '))).toHaveLength(1)
  expect(xml).toContain(
    String.raw`name="J &amp; &quot;co&quot; &lt;1&gt; ]]&gt; \x1b[31m \u202e &gt; Needs it"`,
  )
  expect(xml).toContain(' ❯ sub/a.suite.yaml:7:28')
  expect(xml).toContain('broken.suite.yaml:5:21 error bad-value')
  expect([...xml.matchAll(/<skipped message="([^"]*)">\s*<\/skipped>/g)].map((match) => match[1])).toEqual([
    'needs `token`, which “Broken, &lt;b&gt;: \\ufffe %0A::error::x” (line 5) did not provide',
    expect.stringContaining('skip'),
  ])
  expect(xml).not.toContain('<skipped/>')
  expect(xml.match(/skipped="2"/g)).toHaveLength(1)
  expect((await project.step('a', 'Wrong body')).failed_lines).toEqual([18])
  expect(xml).not.toContain('<property')
})

test('GitHub annotations are at the lines of the failed checks, of the first mistake in a file that did not load, and of warnings; what belongs to no test has one, too', async () => {
  const { output, project } = await outcomes()
  const annotations = [...output.matchAll(/^::error file=(.*?),title=(.*?),line=(\d+),column=(\d+)::(.*)$/gm)]
  const places = annotations.map(
    ([, file, , line, column]) => `${file?.slice(project.root.length + 1)}:${line}:${column}`,
  )
  expect(places.toSorted()).toEqual([
    'broken.suite.yaml:5:21',
    // The mistake is in a file that this suite shares.
    'reader.suite.yaml:1:1',
    'sub/a.suite.yaml:18:23',
    'sub/a.suite.yaml:18:36',
    // The capture on line 8 is reported together with the wrong status.
    'sub/a.suite.yaml:7:28',
  ])
  expect(output).toMatch(/^::error title=suitecase::A threshold was not met: `p95` is [\d.]+ ms;/m)
  expect(output.match(/^::(?!warning)/gm)).toHaveLength(6)
  const [warning, ...others] = output.match(/^::warning.*/gm) ?? []
  expect(warning).toMatch(
    /^::warning file=.*warned\.suite\.yaml,line=3,column=\d+::Nothing gives `tokn` a value/,
  )
  expect(others).toEqual([])
  expect(annotations.find(([, file]) => file?.endsWith('broken.suite.yaml'))?.[5]).toContain(
    'Expected `steps[0].request.url` to be a string, got `5` (number).',
  )
})

test.each([
  { reporter: "['json', { stdout: true }]", report: /^{[^\n]*}\n$/ },
  { reporter: "['junit', { stdout: true }]", report: /^<\?xml .*<\/testsuites>\n$/s },
  { reporter: "'tap-flat'", report: /^TAP version 13\n1\.\.1\nok 1 - a.suite.yaml > A > One [^\n]*\n$/ },
])('the standard output has nothing but the report of $reporter', async ({ reporter, report }) => {
  await using project = await createProject(
    {
      'a.suite.yaml': `suite_name: A\nbase_url: '{{echo_url}}'\nsteps: [{ name: One, request: { url: /get } }]\n`,
    },
    {
      suites: "{ report: { baseline: '.vitest/suitecase/performance.json' } }",
      test: `{ reporters: [${reporter}] }`,
    },
  )
  expect((await project.run()).stdout).toMatch(report)
})

test('an annotation about a step that is no test of the run is at its line, also where its answer shows a stack', async () => {
  const suite = `{
  suite_name: 'Torn down',
  steps: [{ name: 'One', request: { url: '/' } }],
  teardown: [
    { name: 'Clean up', request: { url: '/broken' }, assert: { status_code: 200 } },
  ],
}`
  await using project = await createProject(
    {
      'app.ts': `export default () => (request, response) => {
  if (request.url === '/broken') response.statusCode = 500
  response.end('Error: boom\\n    at handler (' + import.meta.filename + ':2:3)')
}
`,
      'a.suite.yaml': suite,
      'typed.test.ts': `import { defineSuite } from 'suitecase'\ndefineSuite(${suite})\n`,
    },
    { suites: "{ app: './app.ts' }" },
  )
  const { output } = await project.run('-t', 'One', '--reporter=github-actions')
  const places = [...output.matchAll(/^::error file=.*?([^/]*),title=.*?,line=(\d+)/gm)]
  expect(places.map(([, file, line]) => `${file}:${line}`).toSorted()).toEqual([
    'a.suite.yaml:5',
    'typed.test.ts:6',
  ])
  expect(output).toContain('app.ts:2:3)')
})

/** A report without what varies between runs. */
const readSteady = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown) =>
    /_(time|ms)$|^(timings|raw_response|date|requests_per_second)$/i.test(key) ? undefined : value,
  )

test('merged shards give the reports of one run: suites, figures, JUnit and annotations', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject({
    'a.suite.yaml': hostile(echo.url),
    'b.suite.yaml': `suite_name: Giver\nnode_id: giver\nexports: [v]\nbase_url: ${echo.url}\nsteps:\n  - name: Give\n    request: { method: POST, url: /anything, body: { v: 7 } }\n    capture: { v: body.json.v }\n`,
    'c.suite.yaml': `suite_name: Taker\nnode_id: taker\nbase_url: ${echo.url}\nsteps:\n  - name: Take\n    request: { url: '/anything/{{giver.v}}' }\n    assert: { status_code: 200 }\n`,
    'd.suite.yaml': broken,
    'e.test.ts': `import { defineSuite } from 'suitecase'\ndefineSuite({ suite_name: 'E', steps: [{ name: 'X', request: { url: 5 } }] })\n`,
  })
  const reporters = ['--reporter=junit', '--outputFile.junit=junit.xml', '--reporter=github-actions']
  const read = async (output: string): Promise<unknown> => ({
    suites: await Promise.all(
      ['a', 'giver', 'taker', 'd', 'e'].map(async (id) =>
        readSteady(await project.read(`.vitest/suitecase/suites/${id}.json`)),
      ),
    ),
    totals: (readSteady(await project.read('.vitest/suitecase/performance.json')) as { totals: unknown })
      .totals,
    junit: (await project.read('junit.xml'))
      .match(/<(testcase|failure|skipped).*/g)
      ?.map((line) => line.replaceAll(/ time="[^"]*"/g, '')),
    annotations: output.match(/^::error .*?::/gm)?.toSorted(),
  })
  const whole = await read((await project.run(...reporters)).output)
  await rm(join(project.root, '.vitest'), { recursive: true })
  for (const shard of ['1/2', '2/2']) await project.run(`--shard=${shard}`, '--reporter=blob')
  const { code, output } = await project.vitest('--merge-reports', ...reporters)
  expect(code).toBe(1)
  expect(await read(output)).toEqual(whole)
})

test('a merged shard took as long as it ran, whenever it is merged, and keeps all digits of large integers', async () => {
  await using project = await createProject(
    {
      'app.ts': `export default () => (request, response) => {
  if (request.url === '/kill') process.reallyExit(3)
  response.end('{}')
}
`,
      'broken.suite.yaml': broken,
      'dies.suite.yaml':
        'suite_name: Dies\nsteps: [{ name: A, request: { url: / } }, { name: B, request: { url: /kill } }]\n',
      'fine.suite.yaml':
        'suite_name: Fine\nmetadata: { priority: high }\nsteps: [{ name: A, request: { url: / } }]\n',
      'large.suite.yaml': `suite_name: Large
variables: { id: 12345678901234567890 }
steps:
  - name: Send it
    request: { url: '/?id={{id}}' }
    capture: { next: { path: body.nothing, default: 12345678901234567891 } }
`,
    },
    { suites: "{ app: './app.ts' }" },
  )
  await project.run('--reporter=blob')
  const read = (): Promise<string[]> =>
    Promise.all(['performance', 'suites/dies', 'suites/large'].map((name) => project.report(`${name}.json`)))
  const whole = await read()
  expect(whole[2]).toContain('"id": 12345678901234567890')
  expect(whole[2]).toContain('"next": 12345678901234567891')
  await rm(join(project.root, '.vitest/suitecase'), { recursive: true })
  await project.run('--merge-reports')
  expect(await read()).toEqual(whole)
})

test('blobs with labels, in which the same suites ran elsewhere, are all in the report', async () => {
  const env: NodeJS.ProcessEnv = {}
  await using project = await createProject(
    {
      'app.ts': `export default () => (request, response) => {
  if (process.env.VITEST_BLOB_LABEL === 'linux') response.statusCode = 500
  response.end('{}')
}
`,
      'a.suite.yaml':
        'suite_name: A\nsteps: [{ name: S, request: { url: / }, assert: { status_code: 200 } }]\n',
    },
    { suites: "{ app: './app.ts' }", env },
  )
  for (const label of ['linux', 'mac']) {
    env['VITEST_BLOB_LABEL'] = label
    await project.run('--reporter=blob')
  }
  await project.vitest('--merge-reports')
  expect(await project.results()).toEqual(['a.linux.json', 'a.mac.json'])
  expect(JSON.parse(await project.report('failures.json'))).toMatchObject({
    failures: [{ suite: 'A [linux]', step: 'S' }],
  })
})
