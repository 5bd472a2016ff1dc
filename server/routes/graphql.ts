import type * as Graphql from 'graphql'
import type { EchoRouter } from '../context.ts'
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

/** `POST /graphql`: a small fixed schema, by the package `graphql`, which is loaded when it is first needed. */
export function addGraphqlRoutes(router: EchoRouter): void {
  router.post('/graphql', async (ctx) => {
    const { query, variables, operationName } = readRequest(ctx.state.echo.body.toString())
    const { buildSchema, execute, GraphQLError, parse, validate } = await loadGraphql()
    const schema = buildSchema(SCHEMA)
    // Errors of a query are part of an answer with 200 (GraphQL over HTTP).
    try {
      const document = parse(query, { maxTokens: MAX_TOKENS })
      const errors = validate(schema, document)
      const asked = { schema, document, rootValue: ROOT, variableValues: variables, operationName }
      ctx.body = errors.length > 0 ? { errors } : { ...(await execute(asked)) }
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      ctx.body = { errors: [error] }
    }
  })
}

async function loadGraphql(): Promise<typeof Graphql> {
  try {
    return await import('graphql')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    throw new HttpProblem(501, '/graphql needs the package graphql: npm install --save-dev graphql')
  }
}

interface GraphqlRequest {
  query: string
  variables?: Record<string, unknown> | null
  operationName?: string | null
}

function readRequest(text: string): GraphqlRequest {
  try {
    const request = JSON.parse(text) as Record<keyof GraphqlRequest, unknown>
    const { query, variables = null, operationName = null } = request
    const isObject = typeof variables === 'object' && !Array.isArray(variables)
    if (
      typeof query === 'string' &&
      isObject &&
      (operationName === null || typeof operationName === 'string')
    )
      return request as GraphqlRequest
  } catch {
    // Refused like all other bodies that are no request.
  }
  throw new HttpProblem(400, 'expected {"query": "{ hello }", "variables": {}, "operationName": "…"}')
}
