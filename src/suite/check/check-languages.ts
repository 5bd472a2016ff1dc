import type * as Graphql from 'graphql'
import { flattenChecks, type Check } from '../../assertion/check.ts'
import { readOpenApi, readReferred } from '../../assertion/json-schema/find-contract.ts'
import { loadSchemas } from '../../assertion/json-schema/load-schemas.ts'
import type { Place, Position } from '../../source.ts'
import { readRegularFile } from '../../read-file.ts'
import { resolvePath } from '../../resolve-path.ts'
import type { LoadContext } from '../load-context.ts'
import { loadOptional } from '../../interpolation/load-optional.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { listChecks, listParts, listSteps, pathOf, type SuitePlan, type StepPlan } from '../plan/plan.ts'
import { findNode } from '../source-tree.ts'
import { messageOf } from '../../errors.ts'
import { explainBadCss } from '../../request/markup/css.ts'
import { loadPackages, type Language } from '../../request/markup/languages.ts'
import { runBounded } from '../../interpolation/expressions/bounded-run.ts'
import { explainBadXpath } from '../../request/markup/xpath.ts'

/** Compiles the JSON Schemas of all `schema` checks, so that missing files and invalid schemas are reported before the run. */
export async function checkSchemas(plan: SuitePlan, context: LoadContext): Promise<void> {
  const checks = listChecks(plan)
  const { fileSize } = context.options
  const readFile = async (name: string): Promise<string> => {
    const path = resolvePath(context.options.folder, name)
    context.files.push(path)
    return (await readRegularFile(path, { limit: fileSize, option: 'limits.fileSize' })).toString()
  }
  const contracts = checks.filter(({ target }) => target === 'openapi')
  for (const [name, [check]] of Map.groupBy(contracts, ({ expected }) => expected as string))
    await readOpenApi(name, readFile)
      // An edit of these runs the suite again too.
      .then(() => readReferred(name, readFile))
      .catch(({ message }: Error) =>
        context.reportAt(context.places.get((check as Check).at) as Place, {
          code: 'bad-check',
          message: `The \`openapi\` check cannot be made: ${message}.`,
          hint: 'The file is relative to the suite.',
        }),
      )
  const schemas = await loadSchemas(checks, readFile)
  if (!schemas) return
  for (const { operator, expected, field, at } of flattenChecks(checks)) {
    const compiled = operator === 'schema' ? schemas.get(expected) : undefined
    if (!compiled || !('problem' in compiled)) continue
    context.reportAt(context.places.get(at) as Place, {
      code: 'bad-check',
      message: `The \`schema\` of \`${field}\` cannot be used: ${compiled.problem}.`,
      hint: 'Schemas are JSON Schema 2020-12 (or, with `$schema`, 2019-09 or draft-07); files are relative to the suite.',
    })
  }
}

/** Maximum ms an expression may take on an empty document. */
const longestCheck = 1000

/** Checks the XPath and CSS of a suite with their optional packages; reports a missing package once per language. */
export function checkMarkup(plan: SuitePlan, context: LoadContext): void {
  const missing = new Set<Language>()
  const selectors = listSteps(plan).flatMap(listParts).flatMap(listSelectors)
  for (const { language, expression, operator, at } of selectors) {
    if (missing.has(language)) continue
    const lack = messageOf(() => loadPackages(language))
    if (lack !== undefined) missing.add(language)
    const isOpen = expression.includes('{{')
    const explained =
      lack === undefined &&
      !isOpen &&
      runBounded(longestCheck, () =>
        language === 'xpath'
          ? explainBadXpath(expression, plan.xmlNamespaces ?? {}, operator)
          : explainBadCss(expression),
      )
    const why = explained ? explained.value : 'it takes too long'
    const problem = isOpen
      ? `\`{{…}}\` is not filled in here: \`${expression}\` is used as it is`
      : why && `\`${expression}\` cannot be used in \`${language}\`: ${why}`
    if (lack ?? problem)
      context.reportAt(context.places.get(at) as Place, { code: 'bad-path', message: `${lack ?? problem}.` })
  }
}

type Selector = { language: Language; expression: string; operator?: string; at: Position }

function listSelectors({ checks, captures }: Pick<StepPlan, 'checks' | 'captures'>): Selector[] {
  const checked = checks.flatMap(({ target: language, path, ...rest }) =>
    language === 'xpath' || language === 'css' ? [{ language, expression: path[0] as string, ...rest }] : [],
  )
  return [...checked, ...captures.flatMap(({ select, at }) => (select ? [{ ...select, at }] : []))]
}

/** Checks the queries of requests that name a `schema`, with the optional package `graphql`; reports errors at their line of the query. */
export function checkGraphql(plan: SuitePlan, context: LoadContext): void {
  for (const step of listSteps(plan)) if (step.request?.graphql) checkQuery(step, context)
}

function checkQuery(step: StepPlan, context: LoadContext): void {
  const { query, query_file: file, schema } = step.request?.graphql ?? {}
  const path = [...pathOf(step), 'request', 'graphql']
  const open = Object.entries({ schema, query, query_file: file }).find(([, text]) => hasTemplate(text))
  if (step.stream)
    return context.report(path, {
      message: '`graphql` cannot be combined with `stream`: it reads a single JSON response.',
      hint: 'Send the query in `body: { query: … }`, and read the events.',
    })
  if (schema !== undefined && open)
    return context.report([...path, open[0]], {
      message: 'The query cannot be checked with `schema`: a `{{…}}` is only filled in when the step runs.',
      hint: 'Remove the `{{…}}` and pass the values in `variables`, or leave out `schema`.',
    })
  const isRead = file !== undefined && !open
  const text = query ?? (isRead ? context.readFile(file, [...path, 'query_file']) : undefined)
  if (schema === undefined || text === undefined) return
  const source = context.readFile(schema, [...path, 'schema'])
  const graphql = loadOptional('graphql') as typeof Graphql | undefined
  if (!graphql)
    return context.report([...path, 'schema'], {
      message: 'Checking a query needs the package `graphql`, which is not installed.',
      hint: 'Run `npm install --save-dev graphql`, or leave out `schema`.',
    })
  if (source === undefined) return
  let key = 'schema'
  const tell = ({ message, locations }: Pick<Graphql.GraphQLError, 'message' | 'locations'>): void => {
    // An inconsistent schema gives an error without a location.
    const { line, column } = locations?.[0] ?? { line: 1, column: 1 }
    const { range } = findNode(context.tree, [...path, key])
    const where = key === 'query' ? '' : ` (line ${line} of the file)`
    context.reportAt(key === 'query' ? findInBlock(range, [line, column], context.source.text) : range, {
      message: `The ${key === 'schema' ? key : 'query'} is not valid: ${message}${where}`,
    })
  }
  try {
    // Directives of Apollo Federation and the like are defined nowhere.
    const built = graphql.buildSchema(source, { assumeValidSDL: true })
    graphql.assertValidSchema(built)
    key = query === undefined ? 'query_file' : 'query'
    const document = graphql.parse(text)
    graphql.validate(built, document).forEach(tell)
  } catch (error) {
    if (key !== 'schema' && !(error instanceof graphql.GraphQLError)) throw error
    tell(error as Graphql.GraphQLError)
  }
}

/** The place of a line and column in a text written as a YAML block (`|`); for any other text, the whole of it. */
function findInBlock([start, end]: Place, [line, column]: Position, text: string): Place {
  const [header = '', ...lines] = text.slice(start, end).split('\n')
  const written = lines[line - 1]
  if (!header.startsWith('|') || written === undefined) return [start, end]
  const indent = lines.find((one) => one.trim() !== '')?.search(/\S/) ?? 0
  const at = start + [header, ...lines.slice(0, line - 1), ''].join('\n').length
  const from = at + indent + column - 1
  return [from, Math.max(from + 1, at + written.trimEnd().length)]
}
