import { readFile } from 'node:fs/promises'
import { giveOperators, operatorNames } from '../../src/assertion/operators/operators.ts'
import { ANY_TYPE, describeOperand, operandKinds } from '../../src/assertion/operators/operator.ts'
import type { Operator } from '../../src/assertion/operators/operator.ts'
import type { Problem } from '../../src/errors.ts'
import { giveSchemes, ownSchemeNames } from '../../src/request/auth/schemes.ts'
import {
  documentedGlobals,
  giveFunctions,
  isExtensionFunction,
} from '../../src/interpolation/sandbox/extension-functions.ts'
import type { SyntaxNode } from '../../src/interpolation/syntax/javascript.ts'
import { allowSchemes } from '../../src/suite/schema/schema-auth.ts'
import { createSuiteError } from '../../src/suite/locate-problems.ts'
import { didYouMean } from '../../src/text/suggest.ts'
import { followNode, nameMember, parseModule } from './parse-module.ts'
import type { ModuleSyntax } from './parse-module.ts'

/** What in an extension has names, and which names are taken. */
const NAMED = {
  functions: (name: string) => documentedGlobals.has(name) && !isExtensionFunction(name),
  operators: (name: string) => operatorNames.includes(name),
  auth: (name: string) => name === 'none' || ownSchemeNames.includes(name),
}

const KEYS = [...Object.keys(NAMED), 'beforeEach', 'afterEach', 'beforeSuite', 'afterSuite']

type Member = { name: string; key: SyntaxNode; value: SyntaxNode }
type Refuse = (node: Pick<SyntaxNode, 'start' | 'end'>, message: string) => void

/**
 * Makes the names of an extension's functions, operators and `auth` schemes known where suites are loaded, without running it. Throws a
 * `SuiteError` with all that is wrong with the module.
 */
export async function readExtension(path: string, shown: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`The module of the option \`extend\` cannot be read: ${(error as Error).message}`)
  })
  const problems: Problem[] = []
  const refuse: Refuse = ({ start, end }, message) =>
    void problems.push({ code: 'bad-value', severity: 'error', message, range: [start, end] })
  const syntax = await parseModule(path, text).catch((error: SyntaxError & { pos?: number }) => {
    const { pos = 0 } = error
    refuse({ start: pos, end: pos + 1 }, 'The module cannot be parsed here.')
    throw createSuiteError({ path: shown, text }, problems)
  })
  const members = readDefault(syntax, refuse)
  const list = (kind: keyof typeof NAMED): Member[] => {
    const value = members.find(({ name }) => name === kind)?.value
    const named = value ? listMembers(followNode(value, syntax), refuse) : []
    for (const { name, key } of named)
      if (NAMED[kind](name))
        refuse(key, `The package has a \`${name}\` already in \`${kind}\`: give yours another name.`)
    return named
  }
  const [functions, operators, auth] = [list('functions'), list('operators'), list('auth')]
  const standIns = operators.map(
    ({ name, value }) => [name, createStandIn(followNode(value, syntax), refuse)] as const,
  )
  if (problems.length > 0) throw createSuiteError({ path: shown, text }, problems)
  giveFunctions(Object.fromEntries(functions.map(({ name }) => [name, runElsewhere])))
  giveOperators(Object.fromEntries(standIns))
  giveSchemes(
    Object.fromEntries(auth.map(({ name }) => [name, () => ({ headers: [], authorize: runElsewhere })])),
  )
  allowSchemes(auth.map(({ name }) => name))
}

function runElsewhere(): never {
  throw new Error('What an extension has runs in the worker.')
}

/** What the module exports by default, within a call such as `defineExtension`. */
function readDefault(syntax: ModuleSyntax, refuse: Refuse): Member[] {
  const body = syntax.root['body'] as SyntaxNode[]
  const exported = body.find(({ type }) => type === 'ExportDefaultDeclaration')
  const written = exported && followNode(exported['declaration'] as SyntaxNode, syntax)
  const [argument] = (written?.['arguments'] ?? []) as SyntaxNode[]
  const members = listMembers(followNode(argument ?? written ?? syntax.root, syntax), refuse)
  for (const { name, key } of members)
    if (!KEYS.includes(name))
      refuse(key, `An extension has no \`${name}\`${didYouMean(name, KEYS)}. Known are ${KEYS.join(', ')}.`)
  return members
}

function listMembers(object: SyntaxNode, refuse: Refuse): Member[] {
  if (object.type !== 'ObjectExpression')
    refuse(
      object,
      'Expected an object literal: `export default defineExtension({ functions: { … } })` is read without running it.',
    )
  return ((object['properties'] ?? []) as SyntaxNode[]).flatMap((property): Member[] => {
    const name = nameMember(property)
    if (name !== undefined)
      return [{ name, key: property['key'] as SyntaxNode, value: property['value'] as SyntaxNode }]
    refuse(property, 'Names are written out here: they are read without running the module.')
    return []
  })
}

/** An operator as far as the file tells: what it is about, and the kind of its operand. */
function createStandIn(written: SyntaxNode, refuse: Refuse): Operator {
  const members = written.type === 'ObjectExpression' ? listMembers(written, refuse) : []
  const find = (key: string): SyntaxNode | undefined => members.find(({ name }) => name === key)?.value
  const about = find('about')?.['value']
  const operand = find('operand')
  const kind = operand ? String(operand['value']) : 'any'
  if (operand && !Object.hasOwn(operandKinds, kind))
    refuse(operand, `There is no such kind of operand. Known are ${Object.keys(operandKinds).join(', ')}.`)
  return {
    about: typeof about === 'string' ? about : '',
    ...describeOperand(kind),
    takes: ANY_TYPE,
    judge: runElsewhere,
  }
}
