import type { Json, JsonObject, ValuePath } from '../../json.ts'
import { rememberObjects } from '../../remember.ts'
import { showCycle } from '../../text/show-value.ts'
import { InterpolationError } from '../errors.ts'
import { interpolate } from '../interpolate.ts'
import { gaps, type Gap, type Scope } from './scope.ts'
import { findTexts, type VariableText } from './variable-texts.ts'

/** What is wrong with a variable; `path` leads to its text. */
export type VariableProblem = {
  /** `cycle`: it needs itself. `failed`: its expression failed. `unresolved`: it needs an unknown name. */
  code: 'cycle' | 'failed' | 'unresolved'
  message: string
  path: ValuePath
}

/** Variables with their templates filled in. Failed texts stay as written; waiting ones are `undefined`. */
export type ResolvedVariables = { values: JsonObject; problems: readonly VariableProblem[] }

const settledOf = new WeakMap<ResolvedVariables, ReadonlyMap<VariableText, Json>>()
const readTexts = rememberObjects(findTexts)

/**
 * Fills in variables, which may refer to each other in any order. They are looked up in their own place in the layers of
 * `scope`, else before all. Texts that the `previous` result settled keep their value, as generated data must; the others are
 * tried again. An expression without a default or condition waits for names of which `isAwaited` is true.
 */
export function resolveVariables(
  variables: JsonObject,
  scope: Scope & { isAwaited?: (name: string) => boolean },
  previous?: ResolvedVariables,
): ResolvedVariables {
  const texts = readTexts(variables)
  if (texts.length === 0) return { values: variables, problems: [] }
  const settled = new Map(previous && settledOf.get(previous))
  const values = { ...variables }
  /** Copies of the arrays and objects in each variable that no expression has seen. */
  const copies = new Map<string, WeakSet<object>>()
  const write = (path: ValuePath, value: Json | undefined): void => {
    const keys = path as string[]
    const [root = ''] = keys
    const own = copies.get(root) ?? new WeakSet()
    copies.set(root, own)
    let holder = values
    // The holders already have the keys, so these are own properties, even `__proto__`.
    for (const key of keys.slice(0, -1)) {
      const held = holder[key] as JsonObject
      // Functions of suites in TypeScript freeze what they are given.
      if (!own.has(held) || Object.isFrozen(held)) holder[key] = Array.isArray(held) ? [...held] : { ...held }
      holder = holder[key] as JsonObject
      own.add(holder)
    }
    holder[keys.at(-1) ?? ''] = value as Json
  }
  for (const [{ path }, value] of settled) write(path, value)
  const waiting: Gap[] = []
  gaps.set(values, waiting)
  const problems: VariableProblem[] = []
  const at = scope.layers.indexOf(variables)
  const layers = at === -1 ? [values, ...scope.layers] : scope.layers.with(at, values)
  const above = scope.layers.slice(0, Math.max(0, at))
  const fillIn = (one: VariableText): State => {
    const { path, text, references } = one
    const read = references.filter(({ kind }) => kind === 'expression')
    // A sandbox remembers arrays and objects: those that it saw must not change.
    for (const { root } of read) copies.delete(root)
    if (read.some(({ root }) => root === 'variables')) copies.clear()
    const hasDefault = read.some(({ gap }) => gap !== undefined)
    const awaited = hasDefault ? undefined : read.find(({ root }) => scope.isAwaited?.(root))
    const { value, unresolved } = awaited
      ? { value: null, unresolved: [{ cause: `\`${awaited.root}\` has no value` }] }
      : interpolate(text, { ...scope, layers })
    for (const { cause } of unresolved) {
      problems.push({ code: 'unresolved', message: cause, path })
      waiting.push({ path, cause })
    }
    const isWhole = unresolved.length === 0
    if (isWhole) settled.set(one, value)
    write(path, isWhole ? value : undefined)
    return isWhole ? 'settled' : 'unsettled'
  }
  const states = new Map<VariableText, State>([...settled.keys()].map((text) => [text, 'settled']))
  const isShadowed = (root: string): boolean => above.some((layer) => Object.hasOwn(layer, root))
  for (const text of texts) settle(text, { states, problems, isShadowed, fillIn })
  for (const [text, state] of states) if (state !== 'settled') settled.delete(text)
  const result = { values, problems }
  settledOf.set(result, settled)
  return result
}

/** The variables that need each other in a cycle; `shadowed` names are read from elsewhere. */
export function findCycles(variables: JsonObject, shadowed: ReadonlySet<string>): VariableProblem[] {
  const isShadowed = (root: string): boolean => shadowed.has(root)
  const run: Run = { states: new Map(), problems: [], isShadowed, fillIn: () => 'settled' }
  for (const text of readTexts(variables)) settle(text, run)
  return run.problems.filter(({ code }) => code === 'cycle')
}

/** `settled` for good; `unsettled`: needs a name without a value; `failed`: it or what it needs failed. */
type State = 'open' | 'settled' | 'unsettled' | 'failed'

/** The state of one pass over all variables. */
type Run = {
  states: Map<VariableText, State>
  problems: VariableProblem[]
  /** True if something else takes precedence over the variable of this name, which is then not read. */
  isShadowed(root: string): boolean
  /** Resolves a text after everything it needs. */
  fillIn(text: VariableText): State
}

/** The longest chain of variables that need one another. */
const longestChain = 1000

/** Resolves one text after those it needs, depth first; `chain` holds the texts that need it. */
function settle(text: VariableText, run: Run, chain: VariableText[] = []): State {
  const { path, error } = text
  const fail = (code: 'failed' | 'cycle', message: string): 'failed' => {
    run.problems.push({ code, message, path })
    return 'failed'
  }
  const known = run.states.get(text)
  if (known === 'open') {
    const names = chain.slice(chain.indexOf(text)).map((one) => one.path.join('.'))
    return fail('cycle', `These variables form a cycle: ${showCycle(names)}`)
  }
  if (known !== undefined) return known
  if (chain.length >= longestChain) {
    const turns = `Expected a chain of at most ${longestChain} variables that read one another`
    return fail('failed', `${turns}, got more at \`${path.join('.')}\``)
  }
  run.states.set(text, 'open')
  chain.push(text)
  let state: State = error ? fail('failed', `${error.message}. ${error.hint}`) : 'settled'
  for (const need of text.needs)
    if (!run.isShadowed(need.root)) state = worse(state, settle(need.text, run, chain))
  chain.pop()
  try {
    if (state !== 'failed') state = worse(state, run.fillIn(text))
  } catch (thrown) {
    if (!(thrown instanceof InterpolationError)) throw thrown
    const place = path.length > 1 ? `\`${path.join('.')}\`: ` : ''
    state = fail('failed', `${place}${thrown.message}`)
  }
  run.states.set(text, state)
  return state
}

function worse(one: State, other: State): State {
  if (one === 'failed' || other === 'failed') return 'failed'
  return one === 'settled' ? other : one
}
