import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import suiteSchema from '../../../src/report/schema/suite-result.schema.json' with { type: 'json' }
import failuresSchema from '../../../src/report/schema/failures.schema.json' with { type: 'json' }
import { packages } from '../fixtures/installed-package.ts'
import { createProject } from '../fixtures/project.ts'
import { listExamples, pages, readPage, repository, type Example } from './read-pages.ts'

/** How examples in each language are checked. No other language is allowed. */
const CHECKED = {
  yaml: 'format.test.ts: parsed; a suite loaded',
  ts: 'below: compiled',
  sh: 'below: each command and option is known',
  json: 'below: parsed; a failure against its schema',
  groovy: 'below: its commands',
  graphql: 'recipes.test.ts; output.test.ts: compared with the schema of the echo server',
  hurl: 'what it says of another tool cannot be tested here',
  bru: 'as for hurl',
  http: 'as for hurl',
  gherkin: 'as for hurl',
  lua: 'below: its command',
  text: 'recipes.test.ts, tutorial.test.ts: compared with what a run prints',
  '': 'output.test.ts: what commands print',
}

const at = ({ page, line }: Example): string => `${page}:${line}`

test('every example is of a language that is checked', () => {
  const other = pages.flatMap(({ examples }) => examples.filter(({ language }) => !(language in CHECKED)))
  expect(other.map(at)).toEqual([])
})

test('every link leads to a page and a heading that is there', () => {
  const slug = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-')
  const headings = new Map(
    pages.map(({ name, text }) => [
      name,
      new Set(
        [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
          slug(heading),
        ),
      ),
    ]),
  )
  const broken = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([link, path = '', anchor]) => {
      const target = path === '' ? name : normalize(join(dirname(name), path))
      const isThere = existsSync(join(repository, target))
      const hasHeading = anchor === undefined || headings.get(target)?.has(anchor) === true
      return isThere && hasHeading ? [] : [`${name}: ${link}`]
    }),
  )
  expect(broken).toEqual([])
})

test('every path that CONTRIBUTING.md names is there', () => {
  const text = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8')
  const roots = '(?:src|plugin|server|docs|tools|examples|bench|main|worker|contract)'
  const paths = [...text.matchAll(new RegExp(`\`(${roots}/(?!\\.)[^\`]*)\``, 'g'))].map(
    ([, path = '']) => path,
  )
  expect(paths.length).toBeGreaterThan(30)
  const places = ['', 'plugin']
  const gone = paths.filter((path) => !places.some((place) => existsSync(join(repository, place, path))))
  expect(gone).toEqual([])
})

test('every example in JSON can be parsed, and that of a failure keeps to its schema', () => {
  for (const { code } of listExamples('json')) expect(() => JSON.parse(code)).not.toThrow()
  const failures = listExamples('json', 'docs/results/results.md').map(
    ({ code }) => JSON.parse(code) as unknown,
  )
  const ajv = new Ajv()
  expect(failures.length).toBeGreaterThan(0)
  expect([ajv.validate(failuresSchema, { version: 1, failures, errors: [] }), ajv.errors]).toEqual([
    true,
    null,
  ])
})

test('the page on results names every field of a suite and of its steps', () => {
  const page = 'docs/results/results.md'
  const text = readPage(page)
  const { properties, definitions } = suiteSchema
  const { request_details: request, response_details: response } = definitions
  const parts = [
    properties,
    properties.steps_results.items.properties,
    request.properties,
    response.properties,
  ]
  const missing = parts.flatMap((part) => Object.keys(part)).filter((name) => !text.includes(`\`${name}\``))
  expect(missing, `describe these in ${page}`).toEqual([])
})

test('every command and option in the examples is known', () => {
  const plain = (option: string): string => option.replaceAll('-', '').toLowerCase()
  const help = (path: string): string =>
    plain(execFileSync(process.execPath, [join(repository, path), '--help'], { encoding: 'utf8' }))
  const known: Record<string, string> = {
    vitest: help('node_modules/vitest/vitest.mjs'),
    suitecase: help('dist/plugin/cli.js'),
  }
  const lines = [
    ...listExamples('sh').flatMap(({ code }) => code.split('\n')),
    ...listExamples('groovy').flatMap(({ code }) =>
      [...code.matchAll(/sh '(.+)'/g)].map(([, line = '']) => line),
    ),
    ...listExamples('yaml').flatMap(({ file, code }) =>
      file?.startsWith('.git')
        ? [...code.matchAll(/^ *(?:- run|run|-): (.+)$|^ *- (npx .+)$/gm)].map(([, a, b]) => a ?? b ?? '')
        : [],
    ),
  ]
  const calls = lines.flatMap((line) =>
    [...line.matchAll(/npx (?<command>[\w-]+)(?<words>[^#&|]*)/g)].map(
      ({ groups }) => groups as Record<string, string>,
    ),
  )
  expect(calls.length).toBeGreaterThan(20)
  const unknown = calls.flatMap(({ command = '', words = '' }) => {
    const text = known[command]
    if (text === undefined) return [command]
    const options = [...words.matchAll(/(?:^|\s)(--[\w-]+)/g)].map(([, option = '']) => option)
    const isServe = words.trim().startsWith('serve')
    return options
      .filter((option) => !isServe && !text.includes(plain(option)))
      .map((option) => `${command} ${option}`)
  })
  expect(unknown).toEqual([])
})

test('every example in TypeScript compiles', async () => {
  const files = Object.fromEntries(
    listExamples('ts').map((example) => [
      `${example.page.replaceAll(/\W/g, '-')}-${example.line}/${example.file ?? 'example.test.ts'}`,
      complete(example.code),
    ]),
  )
  // Modules of the reader's application.
  for (const [file, code] of Object.entries(files))
    for (const [, name] of code.matchAll(/^import \w+ from '\.\/(.+\.ts)'$/gm))
      files[join(dirname(file), name ?? '')] = 'export default {} as any\n'
  await using project = await createProject({
    ...files,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2024',
        lib: ['es2024', 'esnext.disposable'],
        module: 'nodenext',
        types: ['node'],
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        allowImportingTsExtensions: true,
      },
    }),
  })
  expect(Object.keys(files).length).toBeGreaterThan(12)
  const { output } = await project.execute(join(packages, 'typescript/bin/tsc'), '--singleThreaded')
  expect(output).toBe('')
})

/** Completes an example of part of a file with the rest of the file. */
function complete(code: string): string {
  if (/^import /m.test(code)) return code
  if (code.startsWith('suites(')) return `import { suites } from 'suitecase/plugin'\n${code}`
  return `import { http, HttpResponse } from 'msw'
import { defineSuite } from 'suitecase'
import { z } from 'zod'

const Item = z.object({ sku: z.string() })
const charge = async (request: Request) => ({ id: request.url })
void [http, HttpResponse, Item, charge]
defineSuite({ suite_name: 'S', steps: [{ name: 's', request: { url: '/x' }, ${code} }] })
`
}
