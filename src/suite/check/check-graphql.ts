import type * as Graphql from 'graphql'
import { loadOptional } from '../../interpolation/load-optional.ts'
import type { Range } from '../../source.ts'
import type { LoadContext } from '../load-context.ts'
import { listSteps, pathOf, type StepPlan, type SuitePlan } from '../plan/plan.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { findNode, type ValuePath } from '../source-tree.ts'

/** Checks the queries of requests that name a `schema`, by the optional package `graphql`; what is wrong is told at the line of the query. */
export function checkGraphql(plan: SuitePlan, context: LoadContext): void {
  for (const step of listSteps(plan))
    if (step.request?.graphql) checkQuery(step, step.request.graphql, context)
}

type GraphqlInput = NonNullable<NonNullable<StepPlan['request']>['graphql']>

function checkQuery(step: StepPlan, input: GraphqlInput, context: LoadContext): void {
  const { query, query_file: file, schema } = input
  const path = [...pathOf(step), 'request', 'graphql']
  if (step.stream)
    return context.report(path, {
      message: '`graphql` is not allowed beside `stream`: it reads one answer in JSON.',
      hint: 'Send the query in `body: { query: … }`, and read the events.',
    })
  const isOpen = [query, file, schema].some((text) => hasTemplate(text))
  const text =
    query ??
    (file === undefined || hasTemplate(file) ? undefined : context.readFile(file, [...path, 'query_file']))
  if (schema === undefined || isOpen || text === undefined) return
  const source = context.readFile(schema, [...path, 'schema'])
  const graphql = loadOptional('graphql') as typeof Graphql | undefined
  if (!graphql)
    return context.report([...path, 'schema'], {
      message: 'Checking a query needs the package `graphql`, which is not installed.',
      hint: 'Run `npm install --save-dev graphql`, or leave `schema` out.',
    })
  if (source === undefined) return
  for (const { message, place } of findErrors(graphql, source, text)) {
    const key = place.inSchema ? 'schema' : query === undefined ? 'query_file' : 'query'
    const where = key === 'query' ? '' : ` (line ${place.line} of the file)`
    const range =
      key === 'query'
        ? findLine(text, place, { path: [...path, key], context })
        : findNode(context.tree, [...path, key]).range
    context.reportAt(range, {
      message: `The ${place.inSchema ? 'schema' : 'query'} is not valid: ${message}${where}`,
    })
  }
}

type Place = { line: number; column: number; inSchema: boolean }
type Found = { message: string; place: Place }

function findErrors(graphql: typeof Graphql, schema: string, query: string): Found[] {
  let isRead = false
  try {
    const built = graphql.buildSchema(schema)
    isRead = true
    return graphql.validate(built, graphql.parse(query)).map((error) => describeError(error, false))
  } catch (error) {
    if (error instanceof graphql.GraphQLError) return [describeError(error, !isRead)]
    if (isRead) throw error
    // A schema of parts that do not fit together is an error without a place.
    return [{ message: (error as Error).message, place: { line: 1, column: 1, inSchema: true } }]
  }
}

function describeError({ message, locations }: Graphql.GraphQLError, inSchema: boolean): Found {
  return { message, place: { ...(locations?.[0] ?? { line: 1, column: 1 }), inSchema } }
}

/** Where a line of the query is in the suite: YAML has it indented, or in quotes. */
function findLine(
  query: string,
  { line, column }: Place,
  { path, context }: { path: ValuePath; context: LoadContext },
): Range {
  const [start, end] = findNode(context.tree, path).range
  const lines = query.split('\n')
  const written = (lines[line - 1] ?? '').trim()
  let from = start
  for (const earlier of lines.slice(0, line - 1)) {
    const at = context.source.text.indexOf(earlier.trim(), from)
    if (at !== -1 && at < end) from = at + earlier.trim().length
  }
  const at = written === '' ? -1 : context.source.text.indexOf(written, from)
  if (at === -1 || at + written.length > end) return [start, end]
  const indent = (lines[line - 1] ?? '').search(/\S/)
  return [at + Math.max(0, column - 1 - indent), at + written.length]
}
