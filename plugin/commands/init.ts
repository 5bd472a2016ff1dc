import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readTextIfThere } from '../../src/read-file.ts'
import { addFile, appendFile, makeChanges, type Change } from './add-files.ts'
import { readProject, type ProjectFacts } from './project-facts.ts'
import { AGENTS_PARAGRAPH, CONFIG, editorSetting, IMPORT_LINE, PLUGIN_CALL } from './templates.ts'
import { REQUIRE_LINE, SKILL, SUITE, SUITES_ONLY } from './templates.ts'

const CONFIGS = ['vitest', 'vite'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.config.${ending}`),
)

const SKILL_FILE = '.agents/skills/suitecase/SKILL.md'

/**
 * Adds what a folder needs to run suites. Existing content stays: files are added, or get new lines where that is safe; other
 * lines are told. Returns a description of what was done. Throws when the folder is not a project, its Vitest is too old,
 * or it cannot be written to.
 */
export function initProject(
  folder: string,
  { dryRun, agents }: Record<'dryRun' | 'agents', boolean>,
): string {
  const project = readProject(folder)
  const { missing, commands, schema } = project
  const changes = [
    planConfig(project),
    addFile(folder, 'tests/example.suite.yaml', SUITE.replace(/(?<=schema=).*/, `../${schema}`)),
    planScript(project),
    appendFile(folder, '.gitignore', {
      whole: 'node_modules/\n.vitest/\n',
      text: '.vitest/\n',
      mark: '.vitest',
      why: '`.vitest/` was added, where reports are written',
    }),
    planEditor(project),
  ]
  if (agents)
    changes.push(
      addFile(folder, SKILL_FILE, SKILL),
      appendFile(folder, 'AGENTS.md', {
        whole: AGENTS_PARAGRAPH,
        text: `\n${AGENTS_PARAGRAPH}`,
        mark: '.suite.yaml',
        why: 'a paragraph on suites was added',
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

/** If the script `test` already runs something else, it stays, and suites get a script of their own. */
function planScript({ folder, manifest, scripts, runsVitest, runsOther }: ProjectFacts): Change {
  const name = 'package.json'
  const script = runsOther ? 'test:suites' : 'test'
  if (runsVitest || (runsOther && scripts[script] !== undefined))
    return { name, why: 'it has a script for suites' }
  const before = readTextIfThere(join(folder, name)) ?? ''
  const indent = /^[\t ]+(?=")/m.exec(before)?.[0] ?? '  '
  const edited = { ...manifest, scripts: { ...scripts, [script]: 'vitest' } }
  const text = `${JSON.stringify(edited, null, indent)}\n`
  const ended = before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text
  return { name, text: ended, why: `the script \`${script}\` was added` }
}

function planEditor({ folder, schema }: ProjectFacts): Change {
  const name = '.vscode/settings.json'
  const setting = editorSetting(`./${schema}`)
  const before = readTextIfThere(join(folder, name))
  if (before === undefined) return { name, text: `{\n  ${setting}\n}\n` }
  if (before.includes(schema)) return { name, why: 'it has the schema of suite files' }
  return { name, why: `for completion in suite files, add ${setting}` }
}
