import { type EchoRouter, readDocument } from '../context.ts'
import { HttpProblem } from '../http-problem.ts'

interface User {
  id: string
  role: string
}

/** Resolvers of the root fields. Nothing is stored: a created user is gone after the response. */
const ROOT = {
  hello: ({ name }: { name: string }) => `Hello, ${name}!`,
  user: ({ id }: { id: string }) => readUsers().find((user) => user.id === id) ?? null,
  users: ({ role, first }: { role?: string; first: number }) =>
    readUsers()
      .filter((user) => role === undefined || user.role === role)
      .slice(0, Math.max(0, first)),
  createUser: (user: object) => ({ id: '3', orders: [], ...user }),
}

function readUsers(): User[] {
  return JSON.parse(readDocument('users.json').toString()) as User[]
}

/** The most tokens of a document. A longer one could request the same field a million times. */
const MAX_TOKENS = 1000

/** `POST /graphql`: a small fixed schema. The package `graphql` is loaded on first use. */
export function addGraphqlRoutes(router: EchoRouter): void {
  router.post('/graphql', async (ctx) => {
    const { buildSchema, execute, GraphQLError, parse, validate } = await import('graphql').catch(() => {
      throw new HttpProblem(501, '/graphql needs the package graphql: npm install --save-dev graphql')
    })
    const schema = buildSchema(readDocument('schema.graphql').toString())
    try {
      const { query, variables = {}, operationName } = JSON.parse(ctx.state.echo.body.toString())
      // Versions of graphql before 17 throw for these.
      if (typeof variables !== 'object') throw new TypeError('variables')
      const document = parse(query, { maxTokens: MAX_TOKENS })
      const errors = validate(schema, document)
      const asked = { schema, document, rootValue: ROOT, variableValues: variables, operationName }
      ctx.body = errors.length > 0 ? { errors } : { ...(await execute(asked)) }
    } catch (error) {
      if (!(error instanceof GraphQLError))
        throw new HttpProblem(400, 'expected {"query": "{ hello }", "variables": {}, "operationName": "…"}')
      // Errors of a query are part of a response with status 200 (GraphQL over HTTP).
      ctx.body = { errors: [error] }
    }
  })
}
