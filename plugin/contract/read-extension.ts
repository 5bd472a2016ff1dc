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
import { findDefault, followNode, nameMember, parseModule } from './parse-module.ts'
import type { ModuleSyntax } from './parse-module.ts'

/** What an extension may have. */
export const extensionKeys = [
  'functions',
  'operators',
  'auth',
  'beforeEach',
  'afterEach',
  'beforeSuite',
  'afterSuite',
] as const

type Reading = { syntax: ModuleSyntax; problems: Problem[] }
type Member = { name: string; key: SyntaxNode; value: SyntaxNode }

/**
 * Makes the names of an extension's functions, operators and `auth` schemes known where suites are loaded, without running it. Throws a
 * `SuiteError` with all that is wrong with the module.
 */
export async function readExtension(path: string, shown: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`The module of the option \`extend\` cannot be read: ${(error as Error).message}`)
  })
  const source = { path: shown, text }
  const { syntax, errorAt: at = 0 } = await parseModule(path, text)
  if (!syntax) throw createSuiteError(source, [describe([at, at + 1], 'The module cannot be parsed here.')])
  const reading: Reading = { syntax, problems: [] }
  const members = readDefault(reading)
  const find = (key: string): SyntaxNode | undefined => members.find(({ name }) => name === key)?.value
  const list = (key: string): Member[] => listNames(find(key), reading)
  const [functions, operators, schemes] = [list('functions'), list('operators'), list('auth')]
  for (const { name, key } of functions)
    if (documentedGlobals.has(name) && !isExtensionFunction(name))
      refuse(reading, key, `\`${name}\` is there in every expression: give the function another name.`)
  for (const { name, key } of operators)
    if (operatorNames.includes(name))
      refuse(reading, key, `There is an operator \`${name}\` already: give yours another name.`)
  for (const { name, key } of schemes)
    if (name === 'none' || ownSchemeNames.includes(name))
      refuse(reading, key, `\`auth\` has a \`${name}\` already: give your scheme another name.`)
  const standIns = operators.map(({ name, value }) => [name, createStandIn(value, reading)] as const)
  if (reading.problems.length > 0) throw createSuiteError(source, reading.problems)
  giveFunctions(Object.fromEntries(functions.map(({ name }) => [name, runElsewhere])))
  giveOperators(Object.fromEntries(standIns))
  giveSchemes(
    Object.fromEntries(schemes.map(({ name }) => [name, () => ({ headers: [], authorize: runElsewhere })])),
  )
  allowSchemes(schemes.map(({ name }) => name))
}

function runElsewhere(): never {
  throw new Error('What an extension has runs in the worker.')
}

function createStandIn(value: SyntaxNode, reading: Reading): Operator {
  const members = listMembers(followNode(value, reading.syntax), reading)
  const find = (key: string): SyntaxNode | undefined => members.find(({ name }) => name === key)?.value
  const about = find('about')?.['value']
  const operand = find('operand')
  const kind = operand ? String(operand['value']) : 'any'
  if (operand && !Object.hasOwn(operandKinds, kind))
    refuse(
      reading,
      operand,
      `There is no such kind of operand. Known are ${Object.keys(operandKinds).join(', ')}.`,
    )
  return {
    about: typeof about === 'string' ? about : '',
    ...describeOperand(kind),
    takes: ANY_TYPE,
    judge: runElsewhere,
  }
}

function readDefault(reading: Reading): Member[] {
  const written = findDefault(reading.syntax)
  const object =
    written?.type === 'CallExpression'
      ? followNode((written['arguments'] as SyntaxNode[])[0] as SyntaxNode, reading.syntax)
      : written
  if (object?.type !== 'ObjectExpression') {
    const node = written ?? reading.syntax.root
    refuse(
      reading,
      node,
      'The module has no `export default defineExtension({ … })`, with the object written there.',
    )
    return []
  }
  const members = listMembers(object, reading)
  for (const { name, key } of members)
    if (!(extensionKeys as readonly string[]).includes(name))
      refuse(
        reading,
        key,
        `An extension has no \`${name}\`${didYouMean(name, extensionKeys)}. Known are ${extensionKeys.join(', ')}.`,
      )
  return members
}

function listNames(value: SyntaxNode | undefined, reading: Reading): Member[] {
  if (!value) return []
  const object = followNode(value, reading.syntax)
  if (object.type === 'ObjectExpression') return listMembers(object, reading)
  refuse(
    reading,
    value,
    'Functions, operators and `auth` schemes have to be in an object literal of this file: their names are read without running it.',
  )
  return []
}

function listMembers(object: SyntaxNode, reading: Reading): Member[] {
  if (object.type !== 'ObjectExpression') return []
  return (object['properties'] as SyntaxNode[]).flatMap((property): Member[] => {
    const name = nameMember(property)
    if (name !== undefined)
      return [{ name, key: property['key'] as SyntaxNode, value: property['value'] as SyntaxNode }]
    refuse(reading, property, 'Names are written out here: they are read without running the module.')
    return []
  })
}

function refuse({ problems }: Reading, { start, end }: SyntaxNode, message: string): void {
  problems.push(describe([start, end], message))
}

function describe(range: Problem['range'], message: string): Problem {
  return { code: 'bad-value', severity: 'error', message, range }
}
