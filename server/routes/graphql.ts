import type * as Graphql from 'graphql'
import { type EchoContext, type EchoRouter, readOption } from '../context.ts'
import { HttpProblem } from '../http-problem.ts'

const SCHEMA = `
  type Query {
    hello(name: String = "world"): String!
    user(id: ID!): User
    users(role: Role, first: Int = 10): [User!]!
  }
  type Mutation {
    createUser(name: String!, email: String!, role: Role = MEMBER): User!
  }
  enum Role { ADMIN MEMBER }
  type User {
    id: ID!
    name: String!
    email: String!
    role: Role!
    orders: [Order!]!
  }
  type Order {
    id: ID!
    total: Float!
    items: [String!]!
  }
`

const USERS = [
  {
    id: '1',
    name: 'Ada',
    email: 'ada@example.org',
    role: 'ADMIN',
    orders: [{ id: '10', total: 12.5, items: ['tea', 'cup'] }],
  },
  { id: '2', name: 'Bob', email: 'bob@example.org', role: 'MEMBER', orders: [] },
]

/** Fields at the root. Nothing is kept: a user that was created is gone with the answer. */
const ROOT = {
  hello: ({ name }: { name: string }) => `Hello, ${name}!`,
  user: ({ id }: { id: string }) => USERS.find((user) => user.id === id) ?? null,
  users: ({ role, first }: { role?: string; first: number }) =>
    USERS.filter((user) => role === undefined || user.role === role).slice(0, Math.max(0, first)),
  createUser: (user: { name: string; email: string; role: string }) => ({ id: '3', orders: [], ...user }),
}

/** The most tokens of a document: a longer one could ask for the same field a million times. */
const MAX_TOKENS = 1000

/** `/graphql`: a small fixed schema, by the package `graphql`, which is loaded when it is first needed. */
export function addGraphqlRoutes(router: EchoRouter): void {
  router.get('/graphql', (ctx) => {
    const variables = readOption(ctx, 'variables')
    return answer(ctx, {
      query: readOption(ctx, 'query'),
      variables: variables === undefined ? undefined : readJson(variables),
      operationName: readOption(ctx, 'operationName'),
    })
  })
  router.post('/graphql', (ctx) => answer(ctx, readJson(ctx.state.echo.body.toString())))
}

/** A GraphQL request (GraphQL over HTTP): errors of the query are part of an answer with 200. */
async function answer(ctx: EchoContext, request: unknown): Promise<void> {
  const { query, variables, operationName } = isObject(request) ? request : {}
  if (typeof query !== 'string')
    throw new HttpProblem(400, 'expected {"query": "{ hello }"}, variables, operationName')
  if (variables !== undefined && variables !== null && !isObject(variables))
    throw new HttpProblem(400, 'expected variables to be an object')
  const graphql = await loadGraphql()
  const source = parse(graphql, query)
  const name = typeof operationName === 'string' ? operationName : null
  const isMutation = !Array.isArray(source) && graphql.getOperationAST(source, name)?.operation === 'mutation'
  if (isMutation && ctx.method !== 'POST')
    throw new HttpProblem(405, 'a mutation is sent with POST', { Allow: 'POST, OPTIONS' })
  const schema = graphql.buildSchema(SCHEMA)
  const errors = Array.isArray(source) ? source : graphql.validate(schema, source)
  if (errors.length > 0 || Array.isArray(source)) {
    ctx.body = { errors }
    return
  }
  const result = await graphql.execute({
    schema,
    document: source,
    rootValue: ROOT,
    variableValues: variables,
    operationName: name,
  })
  ctx.body = { ...result }
}

function parse(graphql: typeof Graphql, query: string): Graphql.DocumentNode | Graphql.GraphQLError[] {
  try {
    return graphql.parse(query, { maxTokens: MAX_TOKENS })
  } catch (error) {
    if (error instanceof graphql.GraphQLError) return [error]
    throw error
  }
}

async function loadGraphql(): Promise<typeof Graphql> {
  try {
    return await import('graphql')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    throw new HttpProblem(501, '/graphql needs the package graphql: npm install --save-dev graphql')
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpProblem(400, 'expected JSON')
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
