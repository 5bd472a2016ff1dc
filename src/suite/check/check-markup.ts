import { messageOf } from '../../errors.ts'
import { explainBadCss } from '../../request/markup/css.ts'
import { loadPackages, type Language } from '../../request/markup/languages.ts'
import { explainBadXpath } from '../../request/markup/xpath.ts'
import type { Position } from '../../source.ts'
import type { LoadContext } from '../load-context.ts'
import { listParts, listSteps, type StepPlan, type SuitePlan } from '../plan/plan.ts'
import { toLineEnd } from './check-schemas.ts'

type Written = { language: Language; expression: string; at: Position }

/** Checks the XPath and CSS of a suite by the optional packages for them; that these are not installed is told once for each language. */
export function checkMarkup(plan: SuitePlan, context: LoadContext): void {
  const missing = new Set<Language>()
  for (const { language, expression, at } of listSteps(plan).flatMap(listWritten)) {
    if (missing.has(language)) continue
    const lack = messageOf(() => loadPackages(language))
    if (lack !== undefined) missing.add(language)
    const problem = lack ?? explain(language, expression, plan)
    if (problem !== undefined)
      context.reportAt(toLineEnd(at, context), { code: 'bad-path', message: `${problem}.` })
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

function explain(
  language: Language,
  expression: string,
  { xmlNamespaces = {} }: SuitePlan,
): string | undefined {
  if (expression.includes('{{')) return `\`{{…}}\` is not filled in here: \`${expression}\` is used as it is`
  const why = language === 'xpath' ? explainBadXpath(expression, xmlNamespaces) : explainBadCss(expression)
  return why === undefined ? undefined : `\`${expression}\` is not ${NAMES[language]}: ${why}`
}

const NAMES: Readonly<Record<Language, string>> = { xpath: 'XPath', css: 'a CSS selector' }
