import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readTextIfThere } from '../../src/read-file.ts'
import { addFile, makeChanges, type Change } from './add-files.ts'
import { readProject, type ProjectFacts } from './project-facts.ts'
import { AGENTS_PARAGRAPH, CONFIG, editorSetting, IMPORT_LINE, PLUGIN_CALL } from './templates.ts'
import { REQUIRE_LINE, SKILL, SUITE, SUITES_ONLY } from './templates.ts'

const CONFIGS = ['vitest', 'vite'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.config.${ending}`),
)

const SKILL_FILE = '.agents/skills/suitecase/SKILL.md'

/**
 * Adds the files that a folder needs to run suites. Those that exist stay as they are; what to add to them is told. Returns a
 * description of what was done. Throws when the folder is not a project, or cannot be written to.
 */
export function initProject(
  folder: string,
  { dryRun, agents }: Record<'dryRun' | 'agents', boolean>,
): string {
  const project = readProject(folder)
  const { missing, commands, schema } = project
  const setting = editorSetting(`./${schema}`)
  const changes = [
    planConfig(project),
    addFile(folder, 'tests/example.suite.yaml', SUITE.replace(/(?<=schema=).*/, `../${schema}`)),
    addFile(folder, '.gitignore', 'node_modules/\n.vitest/\n', {
      mark: '.vitest',
      advice: 'add `.vitest/`, where reports are written',
    }),
    addFile(folder, '.vscode/settings.json', `{\n  ${setting}\n}\n`, {
      mark: schema,
      advice: `for completion in suite files, add ${setting}`,
    }),
  ]
  if (agents)
    changes.push(
      addFile(folder, SKILL_FILE, SKILL),
      addFile(folder, 'AGENTS.md', AGENTS_PARAGRAPH, {
        mark: SKILL_FILE,
        advice: `say in it to read ${SKILL_FILE} before suites are written, run or repaired`,
      }),
    )
  const made = makeChanges(folder, changes, dryRun)
  const install = missing.length > 0 ? `Install what is missing: ${commands.add} ${missing.join(' ')}\n` : ''
  const run = changes[0]?.why?.startsWith('add ') ? 'With these lines, run it' : 'Run it'
  const end = dryRun ? 'Nothing was written: --dry-run.' : `${run} with: ${commands.run} vitest`
  return `${made}\n\n${install}${end}\n`
}

/** A new configuration is TypeScript if the project is. The extension marks it as a module if the package does not. */
function planConfig({ folder, isModule, isJavaScript, runsOther }: ProjectFacts): Change {
  const name = CONFIGS.find((each) => existsSync(join(folder, each)))
  if (name === undefined) {
    const added = `vitest.config.${isModule ? '' : 'm'}${isJavaScript ? 'js' : 'ts'}`
    if (!runsOther) return { name: added, text: CONFIG }
    return { name: added, text: SUITES_ONLY, why: 'for suites only: `test` runs your other tests' }
  }
  const text = readTextIfThere(join(folder, name)) ?? ''
  if (text.includes('suitecase/plugin')) return { name, why: 'it has the plugin' }
  const load = /\bmodule\.exports\b/.test(text) ? REQUIRE_LINE : IMPORT_LINE
  const call = /\bplugins\b/.test(text)
    ? `${PLUGIN_CALL}, // among its plugins`
    : `plugins: [${PLUGIN_CALL}],`
  return { name, why: `add these lines to it:\n          ${load}\n          ${call}` }
}
