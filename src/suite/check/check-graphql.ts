import type * as Graphql from 'graphql'
import { loadOptional } from '../../interpolation/load-optional.ts'
import type { Place } from '../../source.ts'
import type { LoadContext } from '../load-context.ts'
import { listSteps, pathOf, type StepPlan, type SuitePlan } from '../plan/plan.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { findNode } from '../source-tree.ts'

/** Checks the queries of requests that name a `schema`, by the optional package `graphql`; what is wrong is told at the line of the query. */
export function checkGraphql(plan: SuitePlan, context: LoadContext): void {
  for (const step of listSteps(plan)) if (step.request?.graphql) checkQuery(step, context)
}

function checkQuery(step: StepPlan, context: LoadContext): void {
  const { query, query_file: file, schema } = step.request?.graphql ?? {}
  const path = [...pathOf(step), 'request', 'graphql']
  if (step.stream)
    return context.report(path, {
      message: '`graphql` is not allowed beside `stream`: it reads one answer in JSON.',
      hint: 'Send the query in `body: { query: … }`, and read the events.',
    })
  const read = (name: string | undefined, key: string): string | undefined =>
    name === undefined || hasTemplate(name) ? undefined : context.readFile(name, [...path, key])
  const text = query ?? read(file, 'query_file')
  if (schema === undefined || text === undefined || hasTemplate(text)) return
  const source = read(schema, 'schema')
  const graphql = loadOptional('graphql') as typeof Graphql | undefined
  if (!graphql)
    return context.report([...path, 'schema'], {
      message: 'Checking a query needs the package `graphql`, which is not installed.',
      hint: 'Run `npm install --save-dev graphql`, or leave `schema` out.',
    })
  if (source === undefined) return
  let key = 'schema'
  const tell = ({ message, locations }: Pick<Graphql.GraphQLError, 'message' | 'locations'>): void => {
    // A schema of parts that do not fit together is an error without a place.
    const { line, column } = locations?.[0] ?? { line: 1, column: 1 }
    const { range } = findNode(context.tree, [...path, key])
    const where = key === 'query' ? '' : ` (line ${line} of the file)`
    context.reportAt(key === 'query' ? findInBlock(range, line, column, context.source.text) : range, {
      message: `The ${key === 'schema' ? key : 'query'} is not valid: ${message}${where}`,
    })
  }
  try {
    const built = graphql.buildSchema(source)
    key = query === undefined ? 'query_file' : 'query'
    graphql.validate(built, graphql.parse(text)).forEach(tell)
  } catch (error) {
    if (key !== 'schema' && !(error instanceof graphql.GraphQLError)) throw error
    tell(error as Graphql.GraphQLError)
  }
}

/** Where a line of a text is that YAML has as a block (`|`), of which each line has one of its own; of any other the whole. */
function findInBlock([start, end]: Place, line: number, column: number, text: string): Place {
  const [header = '', ...lines] = text.slice(start, end).split('\n')
  const written = lines[line - 1]
  if (!header.startsWith('|') || written === undefined) return [start, end]
  const indent = lines.find((one) => one.trim() !== '')?.search(/\S/) ?? 0
  const at = start + [header, ...lines.slice(0, line - 1), ''].join('\n').length
  const from = at + indent + column - 1
  return [from, Math.max(from + 1, at + written.trimEnd().length)]
}
