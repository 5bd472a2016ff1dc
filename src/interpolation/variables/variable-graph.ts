import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { TemplateError } from '../errors.ts'
import { maxDepth } from '../expressions/measure.ts'
import { findReferences, type Reference } from '../references.ts'
import { hasTemplate, parseTemplate } from '../template.ts'

type Path = readonly (string | number)[]

/** A text with templates, or a list or object with such texts in it. */
export type VariableNode = {
  path: Path
  /** Absent for lists and objects. */
  text?: string
  references: readonly Reference[]
  children: ReadonlyMap<string, VariableNode>
  needs: Need[]
  source: Json
  /** Why the text is no valid template, or that the list or object is nested too deeply. */
  error?: TemplateError
}

/** A node that must be known before another; `root` is the name under which it is read. */
type Need = { root: string | undefined; node: VariableNode }

/** Which variables refer to which. Built once per object of variables, which must not change. */
export type VariableGraph = {
  root: VariableNode | undefined
  /** The texts with templates in the order written, behind all that has an error. */
  texts: readonly VariableNode[]
}

type Build = { texts: VariableNode[]; broken: VariableNode[]; plain: Set<object> }

/** Finds every template in the variables and what it needs. More than 500 levels of nesting are an error. */
export function buildVariableGraph(variables: JsonObject): VariableGraph {
  const build: Build = { texts: [], broken: [], plain: new Set() }
  const root = buildNode(variables, [], build)
  if (root)
    for (const node of build.texts) for (const reference of node.references) addNeed(node, root, reference)
  return { root, texts: [...build.broken, ...build.texts] }
}

function buildNode(value: Json, path: Path, build: Build): VariableNode | undefined {
  if (typeof value === 'string') return hasTemplate(value) ? buildText(value, path, build) : undefined
  if (typeof value !== 'object' || value === null || build.plain.has(value)) return undefined
  if (path.length >= maxDepth) return refuseDepth(value, path, build)
  const children = new Map<string, VariableNode>()
  for (const [key, item] of Object.entries(value)) {
    const child = buildNode(item, [...path, Array.isArray(value) ? Number(key) : key], build)
    if (child) children.set(key, child)
  }
  // Without templates the place does not matter: data shared by many places is searched once.
  if (children.size === 0) build.plain.add(value)
  if (children.size === 0) return undefined
  const needs = [...children.values()].map((node) => ({ root: undefined, node }))
  return { path, references: [], children, needs, source: value }
}

function refuseDepth(source: Json, path: Path, build: Build): VariableNode {
  const hint = 'Nest it less; a value that contains itself has no end.'
  const error = new TemplateError(`Expected at most ${maxDepth} levels of nesting, got more`, 0, hint)
  const node: VariableNode = { path, references: [], children: new Map(), needs: [], source, error }
  build.broken.push(node)
  return node
}

function buildText(text: string, path: Path, build: Build): VariableNode {
  const node: VariableNode = { path, text, references: [], children: new Map(), needs: [], source: text }
  try {
    node.references = findReferences(parseTemplate(text))
    build.texts.push(node)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    node.error = error
    build.broken.push(node)
  }
  return node
}

function addNeed(node: VariableNode, root: VariableNode, reference: Reference): void {
  if (reference.kind !== 'reference' && reference.kind !== 'expression') return
  const isAll = reference.root === 'variables' && !Object.hasOwn(root.source as JsonObject, 'variables')
  if (!isAll) addTarget(node, root, reference)
  else if (reference.path.length === 0) node.needs.push({ root: 'variables', node: root })
  else addTarget(node, root, { ...reference, root: String(reference.path[0]), path: reference.path.slice(1) })
}

function addTarget(node: VariableNode, root: VariableNode, { root: name, path, kind }: Reference): void {
  const first = root.children.get(name)
  const target = first && findTarget(first, path, kind === 'expression')
  if (target) node.needs.push({ root: name, node: target })
}

/** The smallest node a path reads. An expression may do anything with a list, or with an object whose own key ends. */
function findTarget(from: VariableNode, path: Path, isExpression: boolean): VariableNode | undefined {
  let at = from
  for (const key of path) {
    if (at.text !== undefined || (isExpression && Array.isArray(at.source))) return at
    const child = at.children.get(String(key))
    if (!child) return isExpression && !Object.hasOwn(at.source as object, key) ? at : undefined
    at = child
  }
  return at
}

/** Cuts a value down to the paths an expression reads, so that it sees nothing that is not known yet. */
export function pruneValue(value: Json, paths: readonly Path[]): Json {
  if (!isJsonObject(value) || paths.some((path) => path.length === 0)) return value
  const pruned: JsonObject = Object.create(null) as JsonObject
  for (const [name, own] of Map.groupBy(paths, ([key]) => String(key))) {
    if (!Object.hasOwn(value, name)) return value
    const rests = own.map(([, ...rest]) => rest)
    pruned[name] = pruneValue(value[name] as Json, rests)
  }
  return pruned
}
