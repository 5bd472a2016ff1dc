import { readFile } from 'node:fs/promises'
import { setUserOperators, operatorNames } from '../../src/assertion/operators/operators.ts'
import { describeOperand, operandKinds, type Operator } from '../../src/assertion/operators/operator.ts'
import type { Problem } from '../../src/errors.ts'
import { setUserSchemes, builtInSchemeNames } from '../../src/request/auth/schemes.ts'
import {
  documentedGlobals,
  setUserFunctions,
  extensionFunctions,
} from '../../src/interpolation/sandbox/extension-functions.ts'
import type { SyntaxNode } from '../../src/interpolation/syntax/javascript.ts'
import { allowSchemes } from '../../src/suite/schema/schema-auth.ts'
import { createSuiteError } from '../../src/suite/locate-problems.ts'
import type { SourceNode } from '../../src/suite/source-tree.ts'
import { didYouMean } from '../../src/text/suggest.ts'
import { followNode, parseModule, placeValue, type ModuleSyntax, type WrittenNode } from './parse-module.ts'

/** The parts of an extension whose members its author names, each with a test for names that are taken. */
const NAMED = {
  functions: (name: string) => documentedGlobals.has(name) && !extensionFunctions.has(name),
  operators: (name: string) => name === 'field' || operatorNames.includes(name),
  auth: (name: string) => name === 'none' || builtInSchemeNames.includes(name),
}

const KEYS = [...Object.keys(NAMED), 'beforeEach', 'afterEach', 'beforeSuite', 'afterSuite']

/** Registers the names of an extension where suites are loaded, without running it. Rejects with a `SuiteError`. */
export async function readExtension(path: string, shown: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`The module of the option \`extend\` cannot be read: ${(error as Error).message}`)
  })
  const problems: Problem[] = []
  const refuse = ({ range, key = range }: SourceNode, message: string): void =>
    void problems.push({ code: 'bad-value', severity: 'error', message, range: key })
  const syntax = await parseModule(path, text).catch(({ pos = 0 }: { pos?: number }) => {
    refuse({ range: [pos, pos + 1] }, 'The module cannot be parsed here.')
    throw createSuiteError({ path: shown, text }, problems)
  })
  const list = (map: WrittenNode | undefined): [string, WrittenNode][] => {
    if (map && !map.isPlain)
      refuse(map, 'Expected an object literal with literal names: the module is read without being run.')
    return Array.from(map?.children ?? [], ([name, node]) => [String(name), node])
  }
  const extension = placeDefault(syntax)
  if (!extension)
    refuse(
      { range: [0, 1] },
      'The module has no `export default`: write `export default defineExtension({ … })`.',
    )
  for (const [name, node] of list(extension))
    if (!KEYS.includes(name))
      refuse(
        node,
        `An extension has no \`${name}\`${didYouMean(name, KEYS)}. It can have ${KEYS.join(', ')}.`,
      )
  const [functions = [], operators = [], auth = []] = Object.entries(NAMED).map(([kind, isTaken]) => {
    const members = list(extension?.children?.get(kind))
    for (const [name, node] of members.filter(([name]) => isTaken(name)))
      refuse(node, `The package already has \`${name}\` in \`${kind}\`: give yours another name.`)
    return members
  })
  for (const [, { children }] of operators) {
    const kind = children?.get('operand')
    if (kind && !Object.hasOwn(operandKinds, kind.literal ?? ''))
      refuse(kind, `Expected a kind of operand as a literal: ${Object.keys(operandKinds).join(', ')}.`)
  }
  if (problems.length > 0) throw createSuiteError({ path: shown, text }, problems)
  setUserFunctions(Object.fromEntries(functions.map(([name]) => [name, runElsewhere])))
  setUserOperators(Object.fromEntries(operators.map(([name, node]) => [name, createStandIn(node)])))
  setUserSchemes(
    Object.fromEntries(auth.map(([name]) => [name, () => ({ headers: [], authorize: runElsewhere })])),
  )
  allowSchemes(auth.map(([name]) => name))
}

function runElsewhere(): never {
  throw new Error('What an extension has runs in the worker.')
}

/** The module's default export, or the argument of a call such as `defineExtension` around it. */
function placeDefault(syntax: ModuleSyntax): WrittenNode | undefined {
  const body = syntax.root['body'] as SyntaxNode[]
  const exported = body.find(({ type }) => type === 'ExportDefaultDeclaration')
  if (!exported) return undefined
  const written = followNode(exported['declaration'] as SyntaxNode, syntax)
  const [argument = written] = (written['arguments'] ?? []) as SyntaxNode[]
  return placeValue(argument, syntax)
}

/** A stand-in for an operator, with what its source text shows: `about`, and the kind of its operand. */
function createStandIn({ children }: WrittenNode): Operator {
  return {
    about: children?.get('about')?.literal ?? '',
    ...describeOperand(children?.get('operand')?.literal ?? 'any'),
    judge: runElsewhere,
  }
}
