import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../src/json.ts'
import { readTextIfThere } from '../../src/read-file.ts'
import { makeChanges, planChange, type Change } from './change-files.ts'
import { readProject, type ProjectFacts } from './project-facts.ts'
import { AGENTS_PARAGRAPH, CONFIG, editorSetting, IMPORT_LINE } from './templates.ts'
import { PLUGIN_CALL, REQUIRE_LINE, SKILL, SUITE, SUITES_ONLY } from './templates.ts'

const CONFIGS = ['vitest', 'vite'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.config.${ending}`),
)

/**
 * Adds what a folder needs to run suites: files, and lines in existing ones where that is safe. Returns what was done. Throws
 * when the folder is not a project, its Vitest is too old, or it cannot be written to.
 */
export function initProject(
  folder: string,
  { dryRun, agents }: Record<'dryRun' | 'agents', boolean>,
): string {
  const project = readProject(folder)
  const addFile = (name: string, text: string): Change =>
    planChange(folder, name, (before) => (before === undefined ? { text } : { why: 'it exists' }))
  const changes = [
    planConfig(project),
    planExample(project),
    planScript(project),
    planIgnore(folder),
    planEditor(project),
    ...(agents ? [addFile('.agents/skills/suitecase/SKILL.md', SKILL), planAgents(folder)] : []),
  ]
  const made = makeChanges(folder, changes, dryRun)
  const { missing, commands } = project
  const install =
    missing.length > 0 ? `Install the missing packages: ${commands.add} ${missing.join(' ')}\n` : ''
  const run = changes[0]?.why?.startsWith('add ') ? 'With these lines, run it' : 'Run it'
  const end = dryRun ? 'Nothing was written: --dry-run.' : `${run} with: ${commands.run} vitest`
  return `${made}\n\n${install}${end}\n`
}

/** Adds the plugin to the configuration or writes one: TypeScript if the project is, always an ES module. */
function planConfig({ folder, manifest, isJavaScript }: ProjectFacts): Change {
  const added = `vitest.config.${manifest['type'] === 'module' ? '' : 'm'}${isJavaScript ? 'js' : 'ts'}`
  const name = CONFIGS.find((each) => existsSync(join(folder, each))) ?? added
  return planChange(folder, name, (before) => {
    if (before === undefined && readScripts(manifest).runsOther)
      return { text: SUITES_ONLY, why: 'for suites only: `test` runs your other tests' }
    if (before === undefined) return { text: CONFIG }
    // It may merge the configuration of Vite, which may already have the plugin.
    const merged = before.includes('vite.config') ? CONFIGS.filter((each) => each.startsWith('vite.')) : []
    const texts = [before, ...merged.map((each) => readTextIfThere(join(folder, each)))]
    if (texts.some((each) => each?.includes('suitecase/plugin'))) return { why: 'it has the plugin' }
    const text = addPlugin(before)
    if (text !== undefined) return { text, why: 'the plugin was added' }
    const load = /\bmodule\.exports\b/.test(before) ? REQUIRE_LINE : IMPORT_LINE
    const call = /\bplugins\b/.test(before)
      ? `${PLUGIN_CALL}, // among its plugins`
      : `plugins: [${PLUGIN_CALL}],`
    return { why: `add these lines to it:\n          ${load}\n          ${call}` }
  })
}

/** Adds the plugin to a configuration. Undefined unless it is one object for `defineConfig`, without projects, with at most one list of plugins. */
function addPlugin(text: string): string | undefined {
  const lists = text.split(/\bplugins\b/).length - 1
  const isPlain = text.split('defineConfig({').length === 2 && /^import /m.test(text) && lists < 2
  if (!isPlain || /\b(?:projects|suites)\b|\.\.\./.test(text)) return undefined
  const [place, added] =
    lists === 1
      ? [/(defineConfig\(\{(?:\s*|(\r?\n[\t ]+)[^]*?\2)plugins: \[)(\s*)/, PLUGIN_CALL]
      : [/(defineConfig\(\{)()(\s*)/, `plugins: [${PLUGIN_CALL}]`]
  const edited = text.replace(place, (_, ...[head, , gap]) => `${head}${gap}${added},${gap || ' '}`)
  return edited === text ? undefined : edited.replace(/^import /m, `${IMPORT_LINE}\n$&`)
}

/** Adds a suite to a project that has none. */
function planExample({ folder, schema }: ProjectFacts): Change {
  return planChange(folder, 'tests/example.suite.yaml', (before) => {
    if (before !== undefined) return { why: 'it exists' }
    // Not those in packages and hidden folders.
    const others = globSync('**/*.suite.{yaml,yml}', {
      cwd: folder,
      exclude: (name) => /(?:^|[\\/])(?:\.|node_modules$)/.test(name),
    })
    if (others.length > 0) return { why: 'not needed, because there are other suites' }
    return { text: SUITE.replace(/(?<=schema=).*/, `../${schema}`) }
  })
}

function readScripts(manifest: JsonObject) {
  const scripts = (manifest['scripts'] ?? {}) as Readonly<Record<string, string>>
  const known = Object.keys(scripts).find((name) => /\bvitest\b(?!\.)/.test(scripts[name] ?? ''))
  const isFree = scripts['test'] === undefined || scripts['test'].includes('no test specified')
  return { scripts, known, runsOther: known === undefined && !isFree }
}

/** Adds a script that runs Vitest: `test` or, if that runs something else, `test:suites`. */
function planScript({ folder, manifest }: ProjectFacts): Change {
  const { scripts, known, runsOther } = readScripts(manifest)
  return planChange(folder, 'package.json', (before = '') => {
    if (known !== undefined) return { why: `the script \`${known}\` already runs Vitest` }
    const script = runsOther ? 'test:suites' : 'test'
    if (runsOther && scripts[script] !== undefined) return { why: `it has a script \`${script}\`` }
    const edited = { ...manifest, scripts: { ...scripts, [script]: 'vitest' } }
    const indent = /^[\t ]+(?=")/m.exec(before)?.[0] ?? '  '
    return { text: `${JSON.stringify(edited, null, indent)}\n`, why: `the script \`${script}\` was added` }
  })
}

function planIgnore(folder: string): Change {
  return planChange(folder, '.gitignore', (before) => {
    if (before === undefined) return { text: 'node_modules/\n.vitest/\n*.local\n' }
    if (before.includes('.vitest')) return { why: 'it already ignores reports' }
    const text = `${before.replace(/(?<=[^\n])$/, '\n')}.vitest/\n`
    return { text, why: '`.vitest/`, where reports are written, was added' }
  })
}

function planEditor({ folder, schema }: ProjectFacts): Change {
  const setting = editorSetting(`./${schema}`)
  return planChange(folder, '.vscode/settings.json', (before) => {
    if (before === undefined) return { text: `{\n  ${setting}\n}\n` }
    if (/suitecase[./]schema\.json/.test(before)) return { why: 'it has the schema of suite files' }
    return { why: `for completion in suite files, add ${setting}` }
  })
}

function planAgents(folder: string): Change {
  return planChange(folder, 'AGENTS.md', (before) => {
    if (before === undefined) return { text: AGENTS_PARAGRAPH }
    if (before.includes('.suite.yaml')) return { why: 'it says how to work with suites' }
    return { text: `${before.trimEnd()}\n\n${AGENTS_PARAGRAPH}`, why: 'a paragraph on suites was added' }
  })
}
