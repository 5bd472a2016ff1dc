/** Bundles the extension into one file, as VS Code expects. The folder can be given as an argument. */
import { join } from 'node:path'
import { build } from 'vite'

await build({
  configFile: false,
  root: import.meta.dirname,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: process.argv[2] ?? join(import.meta.dirname, 'dist'),
    target: 'node22',
    rolldownOptions: {
      input: join(import.meta.dirname, 'extension.ts'),
      external: ['vscode'],
      output: { format: 'cjs', entryFileNames: 'extension.cjs' },
    },
  },
})
