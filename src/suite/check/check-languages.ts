import { resolve } from 'node:path'
import { flattenChecks } from '../../assertion/check.ts'
import { loadSchemas } from '../../assertion/json-schema/load-schemas.ts'
import type { Place, Position } from '../../source.ts'
import { readRegularFile } from '../../read-file.ts'
import type { LoadContext } from '../load-context.ts'
import { DEFAULT_FILE_SIZE } from '../yaml/read-yaml.ts'
import { listParts, listSteps, type SuitePlan, type StepPlan } from '../plan/plan.ts'
import { messageOf } from '../../errors.ts'
import { explainBadCss } from '../../request/markup/css.ts'
import { loadPackages, type Language } from '../../request/markup/languages.ts'
import { runBounded } from '../../interpolation/expressions/bounded-run.ts'
import { explainBadXpath } from '../../request/markup/xpath.ts'

/** Compiles the JSON Schemas of all `schema` checks once, so that a missing file or a wrong schema is known before anything runs. */
export async function checkSchemas(plan: SuitePlan, context: LoadContext): Promise<void> {
  const checks = listSteps(plan)
    .flatMap(listParts)
    .flatMap((part) => part.checks)
  const unreadable = new Set<string>()
  const { fileSize = DEFAULT_FILE_SIZE } = context.options
  const schemas = await loadSchemas(checks, async (name) => {
    const path = resolve(context.options.folder, name)
    context.files.push(path)
    try {
      return (await readRegularFile(path, { limit: fileSize, option: 'limits.fileSize' })).toString()
    } catch (error) {
      unreadable.add(name)
      throw error
    }
  })
  if (!schemas) return
  for (const { operator, expected, field, at } of flattenChecks(checks)) {
    const compiled = operator === 'schema' ? schemas.get(expected) : undefined
    if (!compiled || !('problem' in compiled)) continue
    context.reportAt(context.places.get(at) as Place, {
      code: unreadable.has(expected as string) ? 'unknown-reference' : 'bad-check',
      message: `The \`schema\` of \`${field}\` cannot be used: ${compiled.problem}.`,
      hint: 'Schemas are JSON Schema 2020-12 (or, with `$schema`, 2019-09 or draft-07); files are relative to the suite.',
    })
  }
}

/** ms that an expression may take in a document without anything in it. */
const longestCheck = 1000

type Written = { language: Language; expression: string; at: Position }

/** Checks the XPath and CSS of a suite by the optional packages for them; that these are not installed is told once for each language. */
export function checkMarkup(plan: SuitePlan, context: LoadContext): void {
  const missing = new Set<Language>()
  for (const written of listSteps(plan).flatMap(listWritten)) {
    const { language, at } = written
    if (missing.has(language)) continue
    const lack = messageOf(() => loadPackages(language))
    if (lack !== undefined) missing.add(language)
    const explained = lack === undefined && runBounded(longestCheck, () => explain(written, plan))
    const problem = lack ?? (explained ? explained.value : `\`${written.expression}\` takes too long`)
    if (problem !== undefined)
      context.reportAt(context.places.get(at) as Place, { code: 'bad-path', message: `${problem}.` })
  }
}

function listWritten(step: StepPlan): Written[] {
  const parts = listParts(step)
  const checked = parts.flatMap(({ checks }) =>
    checks.flatMap(({ target, path, at }) =>
      target === 'xpath' || target === 'css' ? [{ language: target, expression: path[0] as string, at }] : [],
    ),
  )
  const captured = parts.flatMap(({ captures }) => captures)
  return [...checked, ...captured.flatMap(({ select, at }) => (select ? [{ ...select, at }] : []))]
}

function explain({ language, expression }: Written, { xmlNamespaces = {} }: SuitePlan): string | undefined {
  if (expression.includes('{{')) return `\`{{…}}\` is not filled in here: \`${expression}\` is used as it is`
  const why = language === 'xpath' ? explainBadXpath(expression, xmlNamespaces) : explainBadCss(expression)
  return why === undefined ? undefined : `\`${expression}\` is not ${NAMES[language]}: ${why}`
}

const NAMES: Readonly<Record<Language, string>> = { xpath: 'XPath', css: 'a CSS selector' }
