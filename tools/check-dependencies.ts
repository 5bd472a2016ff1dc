/** Fails when a package has a licence that nobody agreed to, or a dependency has no line in CONTRIBUTING.md. */
import { readFileSync } from 'node:fs'

const allowed = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]

/** Used as it is, in files of its own, which is all that the MPL asks. */
const agreed = [/\/@jmespath-community\/jmespath$/, /\/lightningcss(-[\w-]+)?$/, /\/axe-core$/]

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

/** True for a licence, or a choice of several of which one will do. */
function isAllowed(license: string): boolean {
  return license
    .replace(/^\(|\)$/g, '')
    .split(' OR ')
    .some((name) => allowed.includes(name))
}

const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { license?: string }>
}
const licences = Object.entries(packages)
  .filter(([path, { license = '' }]) => !isAllowed(license) && !agreed.some((one) => one.test(path)))
  .map(
    ([path, { license = 'none' }]) => `${path}: its licence (${license}) is not among ${allowed.join(', ')}`,
  )

const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, object>
const [, table = ''] = read('CONTRIBUTING.md').split('## Dependencies')
const rows = table.split('\n').filter((line) => line.startsWith('| `'))
const named = rows.flatMap((row) =>
  [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
)
const undocumented = Object.keys(dependencies ?? {})
  .filter((name) => !named.includes(name))
  .map((name) => `${name}: CONTRIBUTING.md does not say what this dependency is for`)
const gone = named
  .filter((name) => !Object.hasOwn({ ...dependencies, ...devDependencies }, name))
  .map((name) => `${name}: CONTRIBUTING.md names it, and package.json does not`)

const problems = [...licences, ...undocumented, ...gone]
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
