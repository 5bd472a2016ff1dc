import type { LiftedFunction } from './lift-functions.ts'

const MEMBER = String.raw`(?:\??\.[A-Za-z_$][\w$]*|\["[\w-]+"\]|\['[\w-]+'\])`

/** `variables.auth.token`, `variables['x-id']`. */
const READ = new RegExp(String.raw`\bvariables${MEMBER}{1,2}`, 'g')

/** `variables: { token, user: u }` in a parameter. */
const APART = /\bvariables\s*:\s*\{([^{}]*)\}/

/**
 * Finds in the text of a function what it reads of its argument, which tells which steps and suites it needs: `variables`
 * by name and the `body`, as expressions. Undefined when the text does not plainly tell, such as when all of `variables` is handed on.
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
      // Without what would end the expression that holds them in JSON.
      ...(rest.match(READ) ?? []).map((read) => read.replaceAll('?.', '.').replaceAll('"', "'")),
      ...(readsBody ? ['body'] : []),
    ]),
  ]
}
