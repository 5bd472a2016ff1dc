/** Fails if a package has a licence that nobody agreed to, or a dependency has no line in CONTRIBUTING.md. */
import { readFileSync } from 'node:fs'

type Packages = Record<string, { license?: string }>

/** A licence, or a choice of several if one of them is allowed. */
const allowed =
  /(?:^\(?| OR )(?:0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|CC0-1\.0|ISC|MIT|Unlicense)(?: OR |\)?$)/

/** Packages used unchanged and in their own files, which is all that the MPL asks. */
const agreed = /\/(?:@jmespath-community\/jmespath|lightningcss(?:-[\w-]+)?|axe-core)$/

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Packages }
const { dependencies = {}, devDependencies } = JSON.parse(read('package.json')) as Record<string, object>
const [, table = ''] = read('CONTRIBUTING.md').split('## Dependencies')
const rows = table.split('\n').filter((line) => line.startsWith('| `'))
const names = rows.flatMap((row) => row.split('|')[1]?.match(/(?<=`)[^`\s]+(?=`)/g) ?? [])
const named = new Set(names)

const problems = [
  ...Object.entries(packages)
    .filter(([path, { license = '' }]) => !allowed.test(license) && !agreed.test(path))
    .map(([path, { license = 'none' }]) => `${path}: nobody agreed to its licence (${license})`),
  ...Object.keys(dependencies)
    .filter((name) => !named.has(name))
    .map((name) => `${name}: CONTRIBUTING.md does not say what this dependency is for`),
  ...[...named]
    .filter((name) => !Object.hasOwn({ ...dependencies, ...devDependencies }, name))
    .map((name) => `${name}: CONTRIBUTING.md names it, and package.json does not`),
]
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
