/** A text that cannot be read as a template. `offset` counts UTF-16 units from the start of the text; `hint` says what to do. */
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
 * Why an expression gave no value: it `threw`, hit the `timeout` or `memory` limit, `crashed` its sandbox, is not valid
 * (`syntax`), or gave something that is `not_data`. `setup`: the engine itself cannot be had as asked. `faker`: neither can
 * generated data.
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

/** An expression that gave no value. Made on the host from plain text: it never carries an object of the sandbox. */
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

/** What a sandbox threw: one that nests too deeply, or holds what its engine does not compile, ends it. */
export function toEngineError(error: unknown): EngineError {
  return error instanceof EngineError
    ? error
    : new EngineError('crashed', `It ended the sandbox: ${String(error)}`)
}

/** An interpolation that could not be finished: a template or an expression in it failed, or the result became too large. */
export class InterpolationError extends Error {
  override readonly name = 'InterpolationError'
  /** Where its string is in the value. */
  readonly path: readonly (string | number)[]
  /** UTF-16 offset of the `{{` in that string. */
  readonly offset: number

  constructor(message: string, path: readonly (string | number)[], offset: number) {
    super(message)
    this.path = path
    this.offset = offset
  }
}
