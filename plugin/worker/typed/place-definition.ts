import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { rememberObjects } from '../../../src/remember.ts'
import { indexLines } from '../../../src/source.ts'
import { slugify } from '../../../src/suite/plan/step-id.ts'
import { listNodes, type SyntaxNode } from '../../../src/interpolation/syntax/javascript.ts'
import type { Json, JsonObject } from '../../../src/json.ts'
import type { SourceNode } from '../../../src/suite/source-tree.ts'
import { parseModule, placeValue, type ModuleSyntax } from '../../contract/parse-module.ts'
import type { StepTask } from '../engine/collect-tests.ts'
import type { LinkedPlan } from '../session/links.ts'
import { TestRunner } from './running-vitest.ts'

/** A test file while it is being loaded. */
export type TestFile = {
  path: string
  text: string
  nodeIds: Set<string>
  /** Its describe blocks so far. */
  blocks?: { linked: LinkedPlan; tests: readonly StepTask[] }[]
  /** Its syntax, once asked for. Undefined if the parser cannot read the file. */
  syntax?: Promise<ModuleSyntax | undefined>
}

/** The place in a test file where a definition, or one of its steps, is passed. */
export type Call = {
  file: TestFile
  offset: number
  /** True if the definition is written in this call, not in a function of another file. */
  direct: boolean
}

/** Remembered per file object of Vitest, which lives as long as one run of the file. */
const readTestFile = rememberObjects(({ filepath: path }: { filepath: string }): TestFile => {
  return { path, text: readFileSync(path, 'utf8').replace(/^\uFEFF/, ''), nodeIds: new Set() }
})

/** Finds the call of `called` in the test file by the stack, else the file's start. Throws outside of one. */
export function findCall(called: (...values: never[]) => unknown): Call {
  const suite = TestRunner.getCurrentSuite() as { file?: { filepath: string } } | undefined
  if (!suite?.file) throw new Error('A suite can be defined only while a test file is being loaded.')
  const file = readTestFile(suite.file)
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, called)
  const frames = (holder.stack ?? '').replaceAll('\\', '/').split('\n').slice(1)
  const index = frames.findIndex((frame) => frame.includes(file.path))
  const [, line = '1', column = '1'] = /:(\d+):(\d+)\)?$/.exec(frames[index] ?? '') ?? []
  const start = indexLines(file.text)[Number(line) - 1] ?? 0
  return { file, offset: start + Number(column) - 1, direct: index === 0 }
}

/** The default node id: a slug of the file name without `.test.ts`, numbered from its second suite on. */
export function chooseNodeId({ path, nodeIds }: TestFile): string {
  const name = basename(path).replace(/(?:\.suite)?(?:\.(?:test|spec))?\.[cm]?[jt]sx?$/i, '')
  const first = slugify(name) || 'suite'
  let id = first
  for (let number = 2; nodeIds.has(id); number++) id = `${first}-${number}`
  nodeIds.add(id)
  return id
}

/**
 * Finds where the parts of a definition are written. Parts that are not spelled out in the file get the place of what
 * surrounds them. `stepCalls` are the calls that added steps, by index of the step.
 */
export async function placeDefinition(
  value: JsonObject,
  { call, stepCalls }: { call: Call; stepCalls: ReadonlyMap<number, Call> },
): Promise<SourceNode> {
  const { file } = call
  // If the parser cannot read the file, everything is placed at the call.
  file.syntax ??= parseModule(file.path, file.text).catch(() => undefined)
  const syntax = await file.syntax
  const place = (part: Json | undefined, { offset, direct }: Call): SourceNode => {
    const argument = syntax && direct ? findArgument(syntax.root, offset) : undefined
    return syntax && argument ? placeValue(argument, syntax, part) : { range: [offset, offset + 1] }
  }
  const tree = place(value, call)
  if (stepCalls.size === 0) return tree
  const list = tree.children?.get('steps') ?? { range: tree.range }
  const children = new Map(list.children)
  for (const [index, own] of stepCalls) children.set(index, place((value['steps'] as Json[])[index], own))
  return { ...tree, children: new Map(tree.children).set('steps', { ...list, children }) }
}

/** The first argument of the innermost call around an offset from the stack, which lies in the callee. */
function findArgument(root: SyntaxNode, offset: number): SyntaxNode | undefined {
  const innermost = listNodes(root).findLast(
    ({ type, start, end }) => type === 'CallExpression' && start <= offset && offset < end,
  )
  return (innermost?.['arguments'] as SyntaxNode[] | undefined)?.[0]
}
