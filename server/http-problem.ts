/** A refusal: answered with `status` and `{"error": message}`. */
export class HttpProblem extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
