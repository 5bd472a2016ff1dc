import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describeChange, planFile, writeChange, type Change } from './change-files.ts'
import { findAbove, readProject, readText, type ProjectFacts } from './project-facts.ts'
import { AGENTS_PARAGRAPH, CONFIG, editorSetting, IMPORT_LINE, PLUGIN_CALL } from './templates.ts'
import { REQUIRE_LINE, SKILL, SUITE } from './templates.ts'

/** How `suitecase init` was called. */
export type InitOptions = {
  /** Nothing is written. */
  dryRun: boolean
  /** Instructions for coding agents are added as well. */
  agents: boolean
}

const CONFIGS = ['vitest', 'vite'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.config.${ending}`),
)

/**
 * Adds what a project needs to its folder and returns what was done, in words. What is there stays: files are added,
 * and those that exist get lines where that is safe. Rejects when the folder is not a project, its Vitest is too old, or
 * it cannot be written to.
 */
export async function initProject(folder: string, { dryRun, agents }: InitOptions): Promise<string> {
  const project = await readProject(folder)
  const changes = [
    await planConfig(project),
    planFile(folder, 'tests/example.suite.yaml', { text: SUITE, advice: 'it exists' }),
    planScript(project),
    await planIgnore(folder),
    await planEditor(folder),
    ...(agents ? await planAgents(folder) : []),
  ]
  if (!dryRun) for (const change of changes) await writeChange(folder, change)
  const { missing, commands } = project
  const notes = [
    ...(missing.length > 0 ? [`Install what is missing: ${commands.add} ${missing.join(' ')}`] : []),
    dryRun ? 'Nothing was written: --dry-run.' : `Run it with: ${commands.run} vitest`,
  ]
  return `${changes.map(describeChange).join('\n')}\n\n${notes.join('\n')}\n`
}

/** A new configuration is TypeScript unless the project is JavaScript; the ending says that it is a module where the package says otherwise. */
async function planConfig({ folder, manifest, isJavaScript }: ProjectFacts): Promise<Change> {
  const name = CONFIGS.find((each) => existsSync(join(folder, each)))
  if (name === undefined) {
    const language = isJavaScript ? 'js' : 'ts'
    const ending = manifest['type'] === 'module' ? language : `m${language}`
    return { name: `vitest.config.${ending}`, text: CONFIG, isNew: true, why: '' }
  }
  const before = await readFile(join(folder, name), 'utf8')
  if (before.includes('suitecase/plugin')) return { name, why: 'it has the plugin' }
  const text = addPlugin(before)
  if (text !== undefined) return { name, text, why: 'the plugin was added' }
  const load = /\bmodule\.exports\b/.test(before) ? REQUIRE_LINE : IMPORT_LINE
  return {
    name,
    why: `add these lines to it:\n          ${load}\n          plugins: [${PLUGIN_CALL}],`,
  }
}

/** The text of a configuration with the plugin in it, where it is plain how: one object of `defineConfig`, without plugins. */
function addPlugin(text: string): string | undefined {
  const parts = text.split('defineConfig({')
  if (parts.length !== 2 || !/^import /m.test(text) || /\bplugins\b|\bsuites\b|\.\.\./.test(text))
    return undefined
  const edited = parts.join(`defineConfig({\n  plugins: [${PLUGIN_CALL}],`)
  return edited.replace(/^import /m, `${IMPORT_LINE}\n$&`)
}

/** A script of that name that runs something else stays, and suites get one of their own. */
function planScript({ manifestText, manifest }: ProjectFacts): Change {
  const name = 'package.json'
  const scripts = (manifest['scripts'] ?? {}) as Readonly<Record<string, string>>
  const known = Object.entries(scripts).find(([, line]) => /\bvitest\b/.test(line))
  if (known) return { name, why: `the script \`${known[0]}\` runs Vitest` }
  const test = scripts['test']
  const isFree = test === undefined || test.includes('no test specified')
  const script = isFree ? 'test' : 'test:suites'
  if (!isFree && scripts[script] !== undefined) return { name, why: `it has a script \`${script}\`` }
  const indent = /^[\t ]+(?=")/m.exec(manifestText)?.[0] ?? '  '
  const edited = { ...manifest, scripts: { ...scripts, [script]: 'vitest' } }
  const mark = manifestText.startsWith('\uFEFF') ? '\uFEFF' : ''
  const text = `${mark}${JSON.stringify(edited, null, indent)}\n`
  return { name, text, why: `the script \`${script}\` was added` }
}

/** Reports are output: they belong into no repository. */
async function planIgnore(folder: string): Promise<Change> {
  const name = '.gitignore'
  const own = await readText(join(folder, name))
  const above = findAbove(folder, '.git')
  const shared = above === undefined ? undefined : await readText(join(dirname(above), name))
  if ([own, shared].some((text) => text?.includes('.vitest')))
    return { name, why: 'reports are left out already' }
  const ends = own === undefined || own === '' || own.endsWith('\n')
  const text = `${own ?? 'node_modules/\n'}${ends ? '' : '\n'}.vitest/\n`
  return {
    name,
    text,
    isNew: own === undefined,
    why: own === undefined ? '' : '`.vitest/` was added, where reports are written',
  }
}

async function planEditor(folder: string): Promise<Change> {
  const name = '.vscode/settings.json'
  const hasSchema = /suitecase[./]schema\.json/.test((await readText(join(folder, name))) ?? '')
  const setting = editorSetting('./node_modules/suitecase/schema.json')
  const advice = hasSchema
    ? 'it has the schema of suite files'
    : `for completion in suite files, add ${setting}`
  return planFile(folder, name, { text: `{\n  ${setting}\n}\n`, advice })
}

async function planAgents(folder: string): Promise<Change[]> {
  const name = 'AGENTS.md'
  const own = await readText(join(folder, name))
  const skill = planFile(folder, '.agents/skills/suitecase/SKILL.md', {
    text: SKILL,
    advice: 'it exists',
  })
  if (own?.includes('.suite.yaml')) return [skill, { name, why: 'it says how to work with suites' }]
  const text = own === undefined ? AGENTS_PARAGRAPH : `${own.trimEnd()}\n\n${AGENTS_PARAGRAPH}`
  return [
    skill,
    { name, text, isNew: own === undefined, why: own === undefined ? '' : 'a paragraph on suites was added' },
  ]
}
