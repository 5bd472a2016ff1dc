import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadEnv } from 'vite'
import type { TestProject } from 'vitest/node'
import { tryTo } from '../../../src/errors.ts'
import { refuse } from '../../contract/refuse.ts'
import { relativePath } from '../../../src/resolve-path.ts'

/** Finds the file that SUITECASE_ENV, else the option, else `--mode` names. Throws if it does not exist. */
export function findEnvironment(root: string, option: string | undefined, mode: string): string | undefined {
  const variable = process.env['SUITECASE_ENV']
  const folder = join(root, 'environments')
  // Vitest's default modes choose no environment, unless the command names them.
  const isDefault = /^(?:test|benchmark)$/.test(mode) && !/ --mode[= ]/.test(process.argv.join(' '))
  const fromMode = isDefault || !existsSync(folder) ? undefined : mode
  const name = variable || option || fromMode
  if (name === undefined) return undefined
  const known = listEnvironments(folder)
  const [file, other] = known.filter((each) => nameEnvironment(each) === name)
  if (other !== undefined)
    refuse(`suitecase: the environment \`${name}\` has two files, ${file} and ${other}: keep one of them.`)
  if (file !== undefined) return join(folder, file)
  const chooser = variable ? 'SUITECASE_ENV' : option ? 'the option `environment`' : '--mode'
  const names = known.map(nameEnvironment).join(', ')
  return refuse(
    `suitecase: the environment \`${name}\`, chosen by ${chooser}, does not exist. ` +
      (names === '' ? '' : `Available: ${names}. `) +
      `Create \`${relativePath(process.cwd(), join(folder, `${name}.yaml`))}\`, or choose another.`,
  )
}

/** The name of an environment, from its file. */
export function nameEnvironment(file: string): string {
  return basename(file).replace(/\.ya?ml$/, '')
}

/** File names of the environments, sorted. */
export function listEnvironments(folder: string): string[] {
  const names = tryTo(() => readdirSync(folder)) ?? []
  return names.filter((name) => /\.ya?ml$/.test(name)).toSorted()
}

/** Variables of the `.env` files, as Vite reads them for this mode, except those that the process sets itself. */
export function readEnvFiles(project: TestProject): Record<string, string> {
  const { mode, envDir } = project.vite.config
  if (!envDir) return {}
  const all = Object.entries(loadEnv(mode, envDir, ''))
  return Object.fromEntries(all.filter(([name]) => !Object.hasOwn(process.env, name)))
}
