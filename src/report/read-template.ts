import { readFileSync } from 'node:fs'

// From the bundle in the package; beside this file; where the build puts it when this file runs from source.
const places = ['../src/report/page/page.html', './page/page.html', '../../dist/src/report/page/page.html']

/** Reads the built report page; throws an error that says how to build it. */
export function readTemplate(): string {
  for (const place of places) {
    try {
      return readFileSync(new URL(place, import.meta.url), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  throw new Error('The template of the report page is missing. Build it with `npm run build`.')
}
