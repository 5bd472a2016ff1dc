/** Builds the report page into a single self-contained file, `dist/src/report/page/page.html`, and copies the reports' schemas. */
import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
// oxlint-disable-next-line no-restricted-imports -- runs when the package is built, not when it is used
import { build, type Rolldown } from 'vite'
import { dataMark } from '../files/serialise-page.ts'

const here = import.meta.dirname
const target = join(here, '../../../dist/src/report/page')

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

const [{ output }] = (await build({
  configFile: false,
  root: here,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { write: false, lib: { entry: join(here, 'main.tsx'), formats: ['iife'], name: 'page' } },
})) as [Rolldown.RolldownOutput]
// A script element ends at the first `</script`, even inside a string.
const script = output[0].code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
const style = await readFile(join(here, 'style.css'), 'utf8')
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Test report</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="app"><p class="panel">Opening the report … It needs JavaScript. If nothing happens, a browser setting or this site blocks scripts: download the file and open it, or read <code>failures.json</code>, <code>performance.json</code> and <code>suites/*.json</code> beside it.</p></div>
${dataMark}
<script>${script}</script>
</body>
</html>
`
await mkdir(target, { recursive: true })
await cp(join(here, '../schema'), join(target, '../schema'), { recursive: true })
// Last: tests take a build with a page for a whole one.
await writeFile(join(target, 'page.html'), page)
