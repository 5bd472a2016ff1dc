/** An error answered with `status`, `{"error": message}` and further headers. */
export class HttpProblem extends Error {
  readonly status: number
  /** Makes Koa show the message to the client. */
  readonly expose = true
  readonly headers: Record<string, string>

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}
