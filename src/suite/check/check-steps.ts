import { explainBadName } from '../../text/explain-bad-name.ts'
import { cut } from '../../text/show-value.ts'
import { hasTemplate } from '../../interpolation/template.ts'
import { isJsonObject, type JsonObject, type ValuePath } from '../../json.ts'
import type { LoadContext } from '../load-context.ts'
import { listSteps, listVariables, pathOf, type StepPlan, type SuitePlan } from '../plan/plan.ts'
import { followVariables, type GroupedReferences } from '../reads/list-reads.ts'
import { suggestKey } from '../schema/suggest-key.ts'
import { checkHandshake, checkRequest, readLiterals } from './check-request.ts'

/** Keys of a step that exclude others, with the reason. */
const CLASHES: readonly (readonly [key: string, others: string, why: string])[] = [
  ['call', 'request', 'a step sends only one thing'],
  ['websocket', 'request call', 'a step has one connection, and its messages are in `exchange`'],
  ['burst', 'stream scenarios retry save', 'a burst sends one `request` many times and gets many responses'],
]

/** Checks what a step as written sends: exactly one thing, and a valid request or handshake. */
export function checkContent(step: JsonObject, path: ValuePath, context: LoadContext): void {
  const { name, request, websocket, skip } = step
  const has = (key: string): boolean => Object.hasOwn(step, key)
  const sends = ['request', 'call', 'websocket']
  // A misspelt `request` has already been reported.
  const isMisspelt = (): boolean => Object.keys(step).some((key) => suggestKey(key, sends) !== undefined)
  const isSkipped = (isJsonObject(skip) ? skip['when'] : skip) === true
  if (!sends.some(has) && !isSkipped && step['todo'] !== true && !isMisspelt())
    context.report(path, {
      code: 'missing-field',
      message: `${typeof name === 'string' && name !== '' ? `\`${cut(name)}\`` : 'This step'} sends nothing.`,
      hint: 'Give it a `request`, a `websocket` or a `call`.',
    })
  for (const [key, others, why] of CLASHES)
    for (const other of others.split(' '))
      if (has(key) && has(other))
        context.reportKey([...path, key], {
          message: `\`${key}\` cannot be combined with \`${other}\`: ${why}.`,
          hint: 'Remove one of them, or split the step in two.',
        })
  for (const key of ['save', 'body_as', 'stream', 'burst'])
    if (has(key) && !has('request') && (has('call') || has('websocket')))
      context.reportKey([...path, key], {
        message: `\`${key}\` applies to the response to a \`request\`, which this step does not send.`,
        hint: 'Move it to the step that sends the request.',
      })
  if (isJsonObject(websocket)) checkHandshake(websocket, { context, path: [...path, 'websocket'] })
  if (isJsonObject(request)) checkRequest(request, { context, path: [...path, 'request'] })
}

/** Checks planned steps: their ids, clock and `save`. */
export function checkSteps(plan: SuitePlan, groups: GroupedReferences, context: LoadContext): void {
  const seen = new Map<string, StepPlan>()
  warnOfBraces(plan, context)
  for (const step of listSteps(plan)) {
    const first = seen.get(step.id)
    if (first)
      context.report([...pathOf(step), 'step_id'], {
        message: `The step id \`${step.id}\` is already used by the step on line ${first.at[0]}.`,
        hint: 'Give each step its own `step_id`.',
      })
    seen.set(step.id, step)
    if (step.advance > 0 && plan.clock === undefined && !context.tree.children?.has('clock'))
      context.report([...pathOf(step), 'advance'], {
        message: '`advance` moves the clock of the suite, but the suite has no clock.',
        hint: 'Give the suite a `clock`, such as `clock: 2026-01-01T00:00:00Z`.',
      })
    checkSave(step, { plan, groups, context })
  }
}

/** A variable as a template literal of JavaScript or Python has it, but not a selection of GraphQL: `{user{id}}`. */
const BRACES = /\$\{(\w+)\}|(?<![\w)])\{(\w+)\}(?!\s*\})/g

/** Warns of variables in requests that are written with single braces. */
function warnOfBraces(plan: SuitePlan, context: LoadContext): void {
  if (context.source.text.search(BRACES) < 0) return
  const variables = new Set(listVariables(plan))
  for (const step of listSteps(plan))
    for (const [key, value] of Object.entries(step.request ?? {})) {
      const text = readLiterals(value)
      // Parameters of a path are told with other forms of them.
      const written = key === 'url' ? text.replace(/^[^?]*/, '') : text
      const found = [...written.matchAll(BRACES)].map(([whole, dollar, name = dollar]) => ({ whole, name }))
      const known = found.find(
        ({ name = '' }) => variables.has(name) || Object.hasOwn(step.variables ?? {}, name),
      )
      if (known)
        context.reportKey([...pathOf(step), 'request', key], {
          severity: 'warning',
          message: `\`${known.whole}\` is sent as it is written.`,
          hint: `Write \`{{${known.name}}}\` to insert the variable.`,
        })
    }
}

type Flow = { plan: SuitePlan; groups: GroupedReferences; context: LoadContext }

/** Reports a `save` whose name may come from a response, since no server may choose a file. */
function checkSave(step: StepPlan, { plan, groups, context }: Flow): void {
  const { save, pointer, iterate, variables = {} } = step
  if (save === undefined) return
  const problem = hasTemplate(save) ? undefined : explainBadName(save)
  if (problem !== undefined) context.report([...pathOf(step), 'save'], { message: `${problem}.` })
  const given = new Set(listSteps(plan).flatMap(({ provides }) => provides))
  for (const { root } of plan.foreign) given.add(root)
  // A computed name, such as `variables[key]`, may be any of these.
  if (given.size > 0) given.add('variables')
  const rootsOf = (key: string): string[] =>
    (groups.get(pointer) ?? []).flatMap(({ root, path }) => (path[2] === key ? [root] : []))
  const names = rootsOf('save')
  // The step's own variables and its loop may contain values from a response.
  if (names.some((name) => Object.hasOwn(variables, name))) names.push(...rootsOf('variables'))
  if (names.some((name) => name === iterate?.as)) names.push(...rootsOf('iterate'), ...rootsOf('variables'))
  const name = followVariables(names, groups).find((one) => given.has(one))
  if (name !== undefined)
    context.report([...pathOf(step), 'save'], {
      message: `The name in \`save\` reads \`${name}\`, which a response may set, but a server must not choose the file.`,
      hint: 'Use a fixed name, suite variables, rows, or a loop over values from the suite.',
    })
}
