import type { Middleware } from 'koa'

/** An error to show to the client, with a status and a code. */
export class Problem extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Answers problems as JSON. Leaves other errors to Koa, except those of the body parser. */
export const answerProblems: Middleware = async (context, next) => {
  try {
    await next()
  } catch (error) {
    if (error instanceof Problem) {
      context.status = error.status
      context.body = { code: error.code, message: error.message }
    } else if (error instanceof SyntaxError) {
      context.status = 400
      context.body = { code: 'bad_json', message: 'The body is not JSON.' }
    } else throw error
  }
}
