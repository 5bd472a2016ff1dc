import type { LiftedFunction } from './lift-functions.ts'

const MEMBER = String.raw`(?:\??\.[A-Za-z_$][\w$]*|\["[\w-]+"\]|\['[\w-]+'\])`

/** Matches `variables.auth.token`, `variables['x-id']`. */
const READ = new RegExp(String.raw`\bvariables${MEMBER}{1,2}`, 'g')

/** Matches `variables: { token, user: u }` in a parameter. */
const APART = /\bvariables\s*:\s*\{([^{}]*)\}/

/**
 * Finds, in the text of a function, what it reads from its argument, which decides what steps and suites it needs: `variables` by
 * name and the `body`, as expressions. Undefined if the text leaves that open, for example because all of `variables` is passed on.
 */
export function findReads(call: LiftedFunction['call']): string[] | undefined {
  const text = Function.prototype.toString.call(call)
  const head = text.slice(0, Math.max(0, text.search(/\)|=>/)))
  const rest = text.slice(head.length)
  const whole = /(\w+)\s*$/.exec(head)?.[1]
  const [apart, taken = ''] = APART.exec(head) ?? ['']
  const isPlain =
    head !== '' &&
    !/\.\.\.|[=[$]/.test(head) &&
    !/\barguments\b|\[native code\]/.test(rest) &&
    (whole === undefined || !new RegExp(String.raw`\b${whole}\b(?!\??\.[A-Za-z])`).test(rest)) &&
    !/\bvariables\b(?!\s*[,}]|\s*$)/.test(head.replace(apart, '')) &&
    !/\bvariables\b/.test(rest.replaceAll(READ, ''))
  if (!isPlain) return undefined
  const names = taken.split(',').map((part) => (part.split(':')[0] ?? '').trim())
  const readsBody = /\bbody\b/.test(head) || new RegExp(String.raw`\b${whole}\??\.body\b`).test(rest)
  return [
    ...new Set([
      ...names.filter((name) => name !== '').map((name) => `variables.${name}`),
      // Double quotes would end the JSON string that contains the expression.
      ...(rest.match(READ) ?? []).map((read) => read.replaceAll('?.', '.').replaceAll('"', "'")),
      ...(readsBody ? ['body'] : []),
    ]),
  ]
}
