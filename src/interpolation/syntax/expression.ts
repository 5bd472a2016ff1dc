import { rememberTexts } from '../../remember.ts'
import { boundCost } from './cost.ts'
import { TemplateError } from '../errors.ts'
import { findFreeNames, type FreeName } from './free-names.ts'
import { describeSyntaxError, listNodes, parseJavaScript, skipBlanks } from './javascript.ts'
import type { SyntaxNode } from './javascript.ts'

/** A JavaScript expression that has been checked. */
export type Expression = ReturnType<typeof analyzeExpression>

/** A name from outside. It has no path, except for one key if only keys of `variables` or `$env` are read. */
export type Read = { root: string; path: readonly string[] }

/** Parses a text that is one JavaScript expression and nothing else; cached. Throws a `TemplateError`. */
export const parseExpression = rememberTexts(2000, (source): Expression => {
  if (source.trim() === '')
    throw new TemplateError('Expected an expression, got nothing', 0, 'Write a JavaScript expression.')
  const { node, end } = parseJavaScript(source)
  if (skipBlanks(source, end) < source.length) throw describeRest(source, end)
  return analyzeExpression(source, node, 0)
})

const REST_HINTS = new Map([
  [';', 'Write one expression, without `;`.'],
  ['}', 'Write both braces, `}}`. For literal braces, write {{ "{{…}}" }}.'],
])

/** Creates the error about text after the expression, where `expected` should have been. */
export function describeRest(text: string, end: number, expected = 'the end'): TemplateError {
  const at = skipBlanks(text, end)
  const shown = /^(?:[\p{L}\p{N}_$]+|[^])/u.exec(text.slice(at, at + 40))?.[0] ?? 'nothing'
  const joined =
    "Join values with an operator such as + or ||. A name with a space in it is `variables['a name']`."
  const hint = REST_HINTS.get(shown) ?? joined
  return new TemplateError(`Expected ${expected} of the expression, got \`${shown}\``, at, hint)
}

/** Checks a parsed expression. `from` is added to the offsets of errors. Throws a `TemplateError`. */
export function analyzeExpression(source: string, node: SyntaxNode, from: number) {
  try {
    const nodes = listNodes(node)
    const loading = nodes.find(({ type }) => type === 'ImportExpression')
    const hint = 'Expressions can only read data.'
    if (loading)
      throw new TemplateError('import() is not available in expressions', from + loading.start, hint)
    const long = nodes.find(({ raw, value }) => /^[\d_]+$/.test(String(raw)) && Number(value) >= 2 ** 53)
    if (long) {
      const message = `An integer above 2⁵³ needs an \`n\`: \`${String(long['raw'])}n\``
      throw new TemplateError(message, from + long.start, 'Without it, JavaScript rounds the number.')
    }
    const freeNames = findFreeNames(node)
    for (const { name, path, offset } of freeNames) {
      const refusal = name === '$env' && path.length > 0 ? undefined : refusedNames.get(name)
      if (refusal !== undefined)
        throw new TemplateError(`\`${name}\` is not available in expressions`, from + offset, refusal)
    }
    return {
      source,
      /** Every use of a name from outside, offsets from the start of `source`. */
      freeNames,
      ...writeProgram(source, freeNames),
      /** The most it costs with data of these sizes; see `boundCost`. */
      estimateCost: boundCost(node),
      /** True if it is asynchronous, so it never gives a value. Reported when it runs. */
      isAsync: nodes.some((one) => one['async'] || one['await']),
    }
  } catch (error) {
    throw describeSyntaxError(error, from)
  }
}

const refusedNames = new Map([
  ['eval', 'Write the expression itself.'],
  ['arguments', 'Name the parameters of the function.'],
  ['$js', 'Write {{js: …}}.'],
  ['$env', 'Name one environment variable: {{$env.NAME}}.'],
  ['$faker', 'Write it on its own, as in {{$faker.internet.email}}, for example in a variable.'],
])

/**
 * Writes a function that returns the value of an expression, and lists its arguments. All names are parameters of the inner
 * function, so an expression sees neither those of the outer one nor the global object.
 */
function writeProgram(source: string, freeNames: readonly FreeName[]): { program: string; reads: Read[] } {
  const reads: Read[] = []
  const take = (read: Read): string => `$${reads.push(read)}`
  const names = Map.groupBy(freeNames, ({ name }) => name)
  names.delete('undefined')
  const given = [...names].map(([root, uses]) => {
    if ((root !== 'variables' && root !== '$env') || uses.some(({ path }) => path.length === 0))
      return take({ root, path: [] })
    const keys = new Set(uses.map(({ path }) => String(path[0])))
    return `{__proto__:null,${[...keys].map((key) => `[${JSON.stringify(key)}]:${take({ root, path: [key] })}`).join()}}`
  })
  const inner = `function(${[...names.keys()].join()}){return (${source}\n)}`
  return {
    program: `"use strict";(function(${reads.map((_, index) => `$${index + 1}`).join()}){return (${inner})(${given.join()})})`,
    reads,
  }
}
