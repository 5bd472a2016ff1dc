import type * as Graphql from 'graphql'
import { loadOptional } from '../../interpolation/load-optional.ts'
import type { Place } from '../../source.ts'
import type { LoadContext } from '../load-context.ts'
import { listSteps, pathOf, type StepPlan, type SuitePlan } from '../plan/plan.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { findNode } from '../source-tree.ts'

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
  for (const { message, line, column, inSchema } of findErrors(graphql, source, text)) {
    const key = inSchema ? 'schema' : query === undefined ? 'query_file' : 'query'
    const where = key === 'query' ? '' : ` (line ${line} of the file)`
    const { range } = findNode(context.tree, [...path, key])
    context.reportAt(key === 'query' ? findInBlock(range, { line, column }, context.source.text) : range, {
      message: `The ${inSchema ? 'schema' : 'query'} is not valid: ${message}${where}`,
    })
  }
}

type Found = { message: string; line: number; column: number; inSchema: boolean }

function findErrors(graphql: typeof Graphql, schema: string, query: string): Found[] {
  let inSchema = true
  // A schema of parts that do not fit together is an error without a place.
  const describe = ({ message, locations }: Pick<Graphql.GraphQLError, 'message' | 'locations'>): Found => ({
    message,
    inSchema,
    ...(locations?.[0] ?? { line: 1, column: 1 }),
  })
  try {
    const built = graphql.buildSchema(schema)
    inSchema = false
    return graphql.validate(built, graphql.parse(query)).map(describe)
  } catch (error) {
    if (!inSchema && !(error instanceof graphql.GraphQLError)) throw error
    return [describe(error as Graphql.GraphQLError)]
  }
}

/** Where a line of a text is that YAML has as a block (`|`), of which each line has one of its own; of any other the whole. */
function findInBlock(
  [start, end]: Place,
  { line, column }: Omit<Found, 'message' | 'inSchema'>,
  text: string,
): Place {
  const [header = '', ...lines] = text.slice(start, end).split('\n')
  const written = lines[line - 1]
  if (!header.startsWith('|') || written === undefined) return [start, end]
  const indent = lines.find((one) => one.trim() !== '')?.search(/\S/) ?? 0
  const at = start + [header, ...lines.slice(0, line - 1), ''].join('\n').length
  const from = at + indent + column - 1
  return [from, Math.max(from + 1, at + written.trimEnd().length)]
}
