/** Thrown for text that is not a valid template. `offset` counts UTF-16 units; `hint` says what to do. */
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

/** Why an expression gave no value. `missing`: what it needs is not installed or not loaded. */
export type EngineErrorCode = 'missing' | 'syntax' | 'threw' | 'timeout' | 'memory' | 'crashed' | 'not_data'

/** Thrown when an expression gives no value. The host makes it of plain text, without sandbox objects. */
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

/** Makes an `EngineError` of anything that a sandbox threw. Anything unknown counts as a crash. */
export function toEngineError(error: unknown): EngineError {
  return error instanceof EngineError
    ? error
    : new EngineError('crashed', `It ended the sandbox: ${String(error)}`)
}

/** Thrown when a template or an expression in it fails, or when the result is too large. */
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
