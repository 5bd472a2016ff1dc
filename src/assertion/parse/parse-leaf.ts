import { hasTemplate } from '../../interpolation/template.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { NodePath } from '../../errors.ts'
import { showValue } from '../../text/show-value.ts'
import { suggestName } from '../../text/suggest.ts'
import type { Operator } from '../operators/operator.ts'
import { readOperand, type TreeNode } from './assertion-tree.ts'
import { addNested } from './parse-body.ts'
import { addCheck, type ParseState, type Subject } from './parse-state.ts'
import { suggestOperator } from './suggest-operator.ts'

/** What a value without fields can be asked: its operators, and the one that a bare value stands for. */
export type Leaf = {
  find: (name: string) => Operator | undefined
  names: readonly string[]
  bare: string
  /** What it is, and an operator with an operand. */
  is: 'a number' | 'a text'
  example: string
  /** What an operand that is written stands for. */
  read?: (operand: Json) => Json
}

/** Parses the checks of a value without fields: a value, or operators. */
export function parseLeaf(
  state: ParseState,
  subject: Subject,
  { node, leaf }: { node: TreeNode; leaf: Leaf },
): void {
  const { find, example, read = (operand: Json): Json => operand } = leaf
  const json = readOperand(node)
  if (!isJsonObject(json)) return addBare(state, subject, { operand: read(json), at: node.at, leaf })
  const entries = Object.entries(json)
  if (entries.length === 0)
    state.report(node.at, {
      code: 'bad-check',
      message: `\`${subject.field}\` has an empty map, which checks nothing.`,
      hint: `Write a value, or an operator such as \`${example}\`.`,
    })
  for (const [name, operand] of entries) {
    const at = 'entry' in node ? node.at : [...node.at, name]
    const operator = find(name)
    if (operator?.nested)
      addNested(state, subject, {
        name,
        operator,
        operand,
        at,
        node: { json: operand, at },
        parse: (inner, below, part) => parseLeaf(inner, below, { node: part, leaf }),
      })
    else if (operator) addCheck(state, subject, { name, operator, operand: read(operand), at })
    else reportOther(state, at, { name, field: subject.field, leaf })
  }
}

function addBare(
  state: ParseState,
  subject: Subject,
  { operand, at, leaf }: { operand: Json; at: NodePath; leaf: Leaf },
): void {
  const name = leaf.bare
  const operator = leaf.find(name) as Operator
  const wanted = hasTemplate(operand) ? undefined : operator.explainBadOperand(operand)
  if (wanted === undefined) return addCheck(state, subject, { name, operator, operand, at })
  const isQuoted = typeof operand === 'string' && /^[1-9]\d*$/.test(operand)
  state.report(at, {
    code: 'bad-check',
    message: `Expected \`${subject.field}\` to be ${wanted}, got ${showValue(operand)}.`,
    ...(isQuoted && { hint: `Write ${operand} without quotes.` }),
  })
}

function reportOther(
  state: ParseState,
  at: NodePath,
  { name, field, leaf: { names, is } }: { name: string; field: string; leaf: Leaf },
): void {
  const meant = [suggestOperator(name, false), suggestName(name, names)].find(
    (one) => one !== undefined && names.includes(one),
  )
  state.report(at, {
    code: 'unknown-field',
    message: `\`${field}\` has no check \`${name}\`: it is ${is}.`,
    hint: meant ? `Did you mean \`${meant}\`?` : `Its checks are: ${names.join(', ')}.`,
  })
}
