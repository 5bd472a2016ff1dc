import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { installPackage } from './fixtures/installed-package.ts'
import { createProject } from './fixtures/project.ts'

const repository = join(import.meta.dirname, '../..')
const run = promisify(execFile)

const literals = `import { defineSuite, type Suite } from 'suitecase'
import { suites, type Options } from 'suitecase/plugin'
import Reporter from 'suitecase/reporter'
import { startServer } from 'suitecase/server'
import * as fixture from 'suitecase/fixture'
const options: Options = { app: './app.ts' }
export const all = [suites(options), Reporter, startServer, fixture, defineSuite]
const request = { url: '/' }
export const good: Suite = { suite_name: 'A', steps: [{ name: 'a', request, assert: { status_code: { in: [200, '2xx'] }, headers: { etag: /x/ } } }] }
// @ts-expect-error -- no operator of that name
export const operator: Suite = { suite_name: 'A', steps: [{ name: 'a', request, assert: { status_code: { gt: 1 } } }] }
// @ts-expect-error -- headers have names
export const headers: Suite = { suite_name: 'A', steps: [{ name: 'a', request, assert: { headers: 5 } }] }
`

test('the published declarations compile as they are, with what the package depends on, and check literals', async () => {
  await using project = await createProject({ 'a.ts': literals })
  const settings = [
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--skipLibCheck',
    'false',
    '--types',
    'node',
  ]
  const { stdout } = await run(
    process.execPath,
    [
      join(repository, 'node_modules/typescript/bin/tsc'),
      ...['--ignoreConfig', '--noEmit', '--strict', '--singleThreaded', '--listFiles', ...settings],
      ...['--typeRoots', join(repository, 'node_modules/@types'), join(project.root, 'a.ts')],
    ],
    { maxBuffer: 2 ** 26 },
  ).catch((error: { stdout: string }) => error)
  // Packages for development may have conflicting types here.
  const errors = stdout
    .split('\n')
    .filter((line) => /^(?!node_modules\/(?!\.suitecase)).*error TS/.test(line))
  expect(errors).toEqual([])
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(repository, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, unknown>>
  const required = Object.keys(peerDependencies ?? {}).filter(
    (name) => !(name in (peerDependenciesMeta ?? {})),
  )
  const known = Object.fromEntries(
    [...Object.keys(dependencies ?? {}), ...required].map((name) => [name, '']),
  )
  const own = stdout.split('\n').filter((file) => file.includes('/suitecase/dist/'))
  expect(own.length).toBeGreaterThan(20)
  const imported = own.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from |import\()["']((?:@[\w-]+\/)?[a-z][\w-]*)/g)].map(
      ([, name = '']) => name,
    ),
  )
  const missing = [...new Set(imported)].filter(
    (name) => name !== 'node' && !(name in known && isTyped(name, known)),
  )
  expect(missing).toEqual([])
})

test('the built code imports only what the package declares, as pnpm and Yarn require', async () => {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(repository, 'package.json'), 'utf8'),
  ) as Record<string, object>
  const files = globSync('**/*.js', { cwd: join(await installPackage(), 'dist') })
  expect(files.length).toBeGreaterThan(10)
  const imported = files.flatMap((file) =>
    [
      ...readFileSync(join(repository, 'dist', file), 'utf8').matchAll(
        /^(?:import|export) .*?["']((?:@[\w-]+\/)?[a-z][\w-]*)(?:\/[\w./-]+)?["'];?$|(?:import|resolve|require)\(["'`]((?:@[\w-]+\/)?[a-z][\w-]*)["'`/]/gm,
      ),
    ].map(([, first, second]) => first ?? second ?? ''),
  )
  expect(imported).toContain('vite')
  // What `init` writes imports the package itself.
  const known = { suitecase: '', ...dependencies, ...peerDependencies }
  expect([...new Set(imported)].filter((name) => !isBuiltin(name) && !(name in known))).toEqual([])
})

/** True for a package that has its own types, or whose types come with ours. */
function isTyped(name: string, known: object): boolean {
  if (`@types/${name}` in known) return true
  return !existsSync(join(repository, 'node_modules/@types', name))
}

test('the package holds what its own pages link to', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: repository,
    maxBuffer: 2 ** 26,
  })
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { files: { path: string }[] }>)
  const files = (packed?.files ?? []).map(({ path }) => path)
  const broken = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...readFileSync(join(repository, file), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
        ([, link = '']) => relative(repository, join(repository, file, '..', link)),
      ),
    )
    .filter((target) => !files.some((file) => file === target || file.startsWith(`${target}/`)))
  expect(broken).toEqual([])
  expect(files).toContain('docs/index.md')
})
