import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createProject } from './fixtures/project.ts'

test('a pipe, a device and a file that a value chose outside the suite’s folder are refused, and nothing waits for them', async () => {
  await using echo = await startLoggedEcho()
  const post = (name: string, rest: string): string =>
    `  - { name: ${name}, request: { method: POST, url: /post, ${rest} } }`
  await using project = await createProject({
    'secret.txt': 'secret',
    'sub/in.txt': 'inside',
    'sub/a.suite.yaml': `
suite_name: Files
base_url: ${echo.url}
variables: { pipe: pipe, zero: /dev/zero, up: ../secret.txt, link: link.txt, inside: in.txt }
steps:
${post('Pipe', "file: '{{pipe}}'")}
${post('Device', "file: '{{zero}}'")}
${post('Link', "file: '{{link}}'")}
${post('Part', "multipart: { f: { file: '{{up}}' } }")}
  - { name: Answer, request: { method: POST, url: /post, body: { f: /etc/hostname } }, capture: { got: body.json.f } }
${post('Captured', "file: '{{got}}'")}
${post('Inside', "file: '{{inside}}'")}
${post('Written', 'file: ../secret.txt')}
`,
    'schema.suite.yaml': `
suite_name: Schema
steps:
  - { name: Check, request: { url: ${echo.url}/get }, assert: { body: { schema: pipe } } }
`,
  })
  execFileSync('sh', ['-c', 'mkfifo pipe sub/pipe; ln -s ../secret.txt sub/link.txt'], { cwd: project.root })
  const { output } = await project.run()
  const { steps_results } = await project.result('a')
  const refused = 'comes from a value, and it is outside the folder of the suite'
  expect(
    steps_results.map((step) => [
      step.step_name,
      step.error_message?.match(/not a regular|comes from[^.]*/)?.[0],
    ]),
  ).toEqual([
    ['Pipe', 'not a regular'],
    ['Device', refused],
    ['Link', refused],
    ['Part', refused],
    ['Answer', undefined],
    ['Captured', refused],
    ['Inside', undefined],
    ['Written', undefined],
  ])
  expect(echo.count('/post')).toBe(3)
  expect(output).toMatch(
    /schema\.suite\.yaml:4:\d+ error bad-check: The `schema` of `body` cannot be used: .* not a regular file/,
  )
})

test('the option `files` lets names from values lead into the folders it lists, and into no other', async () => {
  await using echo = await startLoggedEcho()
  await using project = await createProject(
    {
      'fixtures/in.txt': 'from the fixtures',
      'fixtures-not/in.txt': 'from beside them',
      'sub/a.suite.yaml': `
suite_name: Folders
node_id: folders
base_url: ${echo.url}
variables: { listed: ../fixtures/in.txt, beside: ../fixtures-not/in.txt, around: ../fixtures/../package.json }
steps:
  - { name: Listed, request: { method: POST, url: /post, file: '{{listed}}' }, assert: { body.data: from the fixtures } }
  - { name: Beside, request: { method: POST, url: /post, file: '{{beside}}' } }
  - { name: Around, request: { method: POST, url: /post, file: '{{around}}' } }
`,
    },
    { suites: "{ files: ['fixtures'] }" },
  )
  const { output } = await project.run('--no-color')
  expect(output).toMatch(/Tests {2}2 failed \| 1 passed/)
  for (const name of ['Beside', 'Around'])
    expect((await project.step('folders', name)).error_message).toContain(
      'its name comes from a value, and it is outside the folder of the suite',
    )
  expect(echo.paths()).toEqual(['/post'])
})
