/** Bundles the package into a few files, which a worker loads five times as fast as a hundred modules. */
import { globSync } from 'node:fs'
import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
// oxlint-disable-next-line no-restricted-imports -- runs when the package is built, not when it is used
import { build } from 'vite'

const repository = join(import.meta.dirname, '..')

/** Entries, grouped by what may share code. Groups share no file: each costs every worker one more load. */
const places = {
  main: { 'plugin/index': 'plugin/index', 'plugin/reporter': 'plugin/main/report/suite-reporter' },
  cli: { 'plugin/cli': 'plugin/cli' },
  worker: { 'plugin/thread': 'plugin/worker/engine/thread', 'plugin/worker': 'plugin/worker/engine/worker' },
  typed: { 'plugin/define-suite': 'plugin/define-suite' },
  extend: { 'plugin/extend': 'plugin/worker/extension/extension' },
  expressions: {
    'src/interpolation/sandbox/process-bridge': 'src/interpolation/sandbox/process-bridge',
    'src/interpolation/sandbox/expression-process': 'src/interpolation/sandbox/expression-process',
  },
  'echo-server': { 'server/index': 'server/index', 'server/fixture': 'server/fixture' },
}

for (const [folder, entries] of Object.entries(places))
  await build({
    configFile: false,
    root: repository,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: join(repository, 'dist'),
      emptyOutDir: false,
      target: 'node22',
      minify: false,
      rolldownOptions: {
        // Entries export nothing extra for chunks that they load later: what both need has its own file.
        preserveEntrySignatures: 'strict',
        input: Object.fromEntries(
          Object.entries(entries).map(([entry, file]) => [entry, join(repository, `${file}.ts`)]),
        ),
        // Chunks lie as deep as the entries, so that paths relative to the package stay valid.
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: `${folder}/[name].js`,
          comments: false,
          codeSplitting: { groups: [{ name: 'shared', tags: ['$initial'], minShareCount: 2 }] },
        },
      },
    },
  })

await cp(join(repository, 'server/documents'), join(repository, 'dist/server/documents'), { recursive: true })

/** The declarations that users import, and what these import in turn. */
const declarations = new Set<string>()
const { exports } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string }>
}
for (const entry of Object.values(exports))
  if (typeof entry === 'object') declarations.add(join(repository, entry.types))
for (const file of declarations)
  for (const [, path = ''] of (await readFile(file, 'utf8')).matchAll(
    /(?:from |import\()["'](\..*?)\.ts["']/g,
  ))
    declarations.add(join(file, '..', `${path}.d.ts`))
for (const file of globSync('dist/**/*.d.ts', { cwd: repository }).map((name) => join(repository, name)))
  if (!declarations.has(file)) await rm(file)
