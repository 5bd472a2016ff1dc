import { readTextIfThere } from '../read-file.ts'

// Where the build puts it: from this file, and from the bundle in the package.
const place = `${import.meta.url.endsWith('.ts') ? '../../dist' : '..'}/src/report/page/page.html`

/** Reads the built report page; throws an error that says how to build it. */
export function readTemplate(): string {
  const template = readTextIfThere(new URL(place, import.meta.url))
  if (template !== undefined) return template
  throw new Error('The template of the report page is missing. Build it with `npm run build`.')
}
