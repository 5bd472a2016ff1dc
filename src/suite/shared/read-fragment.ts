import { dirname, join, relative, resolve } from 'node:path'
import type { GenericSchema } from 'valibot'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { checkBaseUrl, checkRequest } from '../check/check-request.ts'
import { collectTemplates } from '../reads/collect-templates.ts'
import { describeIssues, removeRefused } from '../schema/describe-issue.ts'
import { createContext, type LoadContext } from '../load-context.ts'
import type { SourceFile } from '../../source.ts'
import { locateProblems } from '../locate-problems.ts'
import { planJudgement } from '../plan/plan-judgement.ts'
import { planRetry } from '../plan/plan-retry.ts'
import { readYaml } from '../yaml/read-yaml.ts'
import { findIssues, type SuiteInput } from '../schema/schema.ts'
import type { SourceNode, ValuePath } from '../source-tree.ts'
import { omitRemovals } from './merge-settings.ts'

/** A file that a suite shares with others, and the place in the suite that names it. */
type Fragment = { file: string; path: ValuePath; schema: GenericSchema }

/** Settings, and where their parts are in their own text. */
export type Settings = { value: JsonObject; tree: SourceNode; source: SourceFile }

/** Reads a file of settings and checks it like a suite. Nothing if something is wrong with it. */
export function readFragment({ file, path, schema }: Fragment, context: LoadContext): Settings | undefined {
  const text = context.readFile(file, path)
  if (text === undefined) return undefined
  const { folder } = context.options
  const shown = join(dirname(context.source.path), relative(folder, resolve(folder, file)))
  return readSettings({ path: shown.replaceAll('\\', '/'), text }, schema, context)
}

/** Reads settings and checks them like a suite: what is wrong with them is told at its place in their own text. */
export function readSettings(
  source: SourceFile,
  schema: GenericSchema,
  context: Pick<LoadContext, 'options' | 'elsewhere' | 'files'>,
): Settings | undefined {
  const reading = readYaml(source.text, context.options.fileSize)
  const own = createContext({ source, reading, options: context.options })
  const { value } = reading
  if (isJsonObject(value)) {
    const issues = findIssues(value, schema)
    own.problems.push(...describeIssues(issues, own.tree))
    removeRefused(value, issues, own)
    checkShared(value, own)
  } else if (own.problems.length === 0)
    own.report([], { code: 'not-a-map', message: 'Expected the file to hold a map of settings.' })
  const errors = own.problems.filter(({ severity }) => severity === 'error')
  context.elsewhere.push(...locateProblems(source, errors))
  context.files.push(...own.files)
  return errors.length === 0 && isJsonObject(value) ? { value, tree: own.tree, source } : undefined
}

function checkShared(value: JsonObject, context: LoadContext): void {
  collectTemplates(value, context)
  checkBaseUrl(value['base_url'], context)
  planRetry((value as Partial<SuiteInput>).retry, ['retry'], context)
  checkDefaults(value, context)
}

/** Checks `defaults` where they are: steps may have none of them, and share what is wrong with them. */
export function checkDefaults({ defaults }: JsonObject, context: LoadContext): void {
  if (!isJsonObject(defaults)) return
  const given = Object.entries(defaults).filter(([, value]) => value !== null)
  const { assert, ...fields } = Object.fromEntries(given)
  const checks = assert !== undefined && omitRemovals({ value: assert, node: context.tree })
  if (checks) planJudgement({ assert: checks.value }, ['defaults'], context)
  checkRequest({ url: '/', ...fields }, { context, path: ['defaults'] })
}
