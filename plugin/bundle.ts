/** Bundles what the package exports into a few files in `dist`: a worker loads a hundred small modules five times slower than one large one. */
import { join } from 'node:path'
// oxlint-disable-next-line no-restricted-imports -- runs when the package is built, not when it is used
import { build } from 'vite'

const repository = join(import.meta.dirname, '..')

/** Everything that is imported by its name, or by another part with its path. */
const entries = [
  'plugin/index',
  'plugin/define-suite',
  'plugin/reporter',
  'plugin/runtime',
  'plugin/cli',
  'server/index',
  'server/fixture',
]

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
      input: Object.fromEntries(entries.map((entry) => [entry, join(repository, `${entry}.ts`)])),
      // As deep as the entries: paths relative to the package stay the same.
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js', comments: false },
    },
  },
})
