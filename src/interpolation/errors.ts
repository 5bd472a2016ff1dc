/** Thrown for text that is not a valid template. `offset` counts UTF-16 units from the start of the text; `hint` says what to do. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly offset: number
  readonly hint: string

  constructor(message: string, offset: number, hint = '') {
    super(message)
    this.offset = offset
    this.hint = hint
  }
}

/**
 * Why an expression gave no value: it `threw`, hit the `timeout` or `memory` limit, `crashed` its sandbox, has bad
 * `syntax`, or gave something that is `not_data`. `setup`: the engine is not available. `faker`: data could not be
 * generated.
 */
export type EngineErrorCode =
  | 'setup'
  | 'syntax'
  | 'threw'
  | 'timeout'
  | 'memory'
  | 'crashed'
  | 'not_data'
  | 'faker'

/** Thrown when an expression gives no value. Made on the host from plain text: it never carries an object of the sandbox. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: EngineErrorCode
  /** For `not_data`: the result in words, such as `a promise`. */
  readonly shown: string

  constructor(code: EngineErrorCode, message: string, shown = '') {
    super(message)
    this.code = code
    this.shown = shown
  }
}

/** Wraps what a sandbox threw. Code that nests too deeply, or that its engine cannot compile, ends the sandbox. */
export function toEngineError(error: unknown): EngineError {
  return error instanceof EngineError
    ? error
    : new EngineError('crashed', `It ended the sandbox: ${String(error)}`)
}

/** Thrown when an interpolation fails: a template or an expression in it failed, or the result became too large. */
export class InterpolationError extends Error {
  override readonly name = 'InterpolationError'
  /** Path to the string in the value. */
  readonly path: readonly (string | number)[]
  /** UTF-16 offset of the `{{` in that string. */
  readonly offset: number

  constructor(message: string, path: readonly (string | number)[], offset: number) {
    super(message)
    this.path = path
    this.offset = offset
  }
}
