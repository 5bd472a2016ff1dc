import { stepLists } from './step-id.ts'
import type { ConnectionInput } from '../../request/build/request-input.ts'
import type { Check } from '../../assertion/check.ts'
import type { Capture } from '../../capture/capture.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Mock } from '../../mock/mock.ts'
import type { Problem, ResultWarning } from '../../errors.ts'
import type { SocketMessage } from '../../request/exchange.ts'
import type { BodyKind } from '../../request/receive/decode-body.ts'
import type { Namespaces } from '../../request/markup/languages.ts'
import type { Branch, Scenario } from '../../scenario/scenario.ts'
import type { Position, Place } from '../../source.ts'
import type { StepInput } from '../schema/schema.ts'
import type { TemplatePositions } from '../source-tree.ts'

/** Retry settings with all defaults filled in; times in ms. */
export type RetryPlan = {
  max_attempts: number
  base_delay_ms: number
  max_delay_ms: number
  backoff: 'fixed' | 'exponential'
  on?: (number | string)[] | string | undefined
  until?: string | undefined
  at: Position
  open?: TemplatedSetting[]
}

export type TemplatedSetting = {
  key: 'max_attempts' | 'base_delay_ms' | 'max_delay_ms'
  text: string
  pointer: string
}

/** A request that is sent while the connection of a step is open; `pointer` is where it is written. */
export type TriggerPlan = {
  request: NonNullable<StepInput['request']>
  pointer: string
  at: Position
  defaultAuth: boolean
}

/** When to stop reading a step's response as a stream; `within` in ms. */
export type StreamPlan = {
  until?: string | undefined
  /** Number of events to read; with `until`, the most events to wait for it. */
  events?: number | undefined
  within?: number | undefined
  trigger?: TriggerPlan | undefined
  at: Position
}

export type BurstPlan = { times: number; concurrent: number }

/** One turn of a WebSocket: a message to send, the next message to expect, another request, or a close. `within` in ms. */
export type DialogueItem =
  | { kind: 'send'; value: Json; isBinary?: true; pointer: string; at: Position }
  | {
      kind: 'expect'
      name: string
      /** The type the message must have, and the position of that key. */
      type?: { wanted: SocketMessage['type']; at: Position } | undefined
      checks: Check[]
      captures: Capture[]
      within?: number | undefined
      /** True if no message may come within that time. */
      isNone: boolean
      at: Position
    }
  | ({ kind: 'trigger' } & TriggerPlan)
  | { kind: 'close'; code: number; at: Position }

/** The messages of a step's WebSocket; its `request` is the handshake. */
export type DialoguePlan = { protocols: string[]; exchange: DialogueItem[] }

export type StepPhase = 'setup' | 'step' | 'teardown'

export type SkipPlan = {
  skip?: boolean | string | undefined
  /** Position of a `skip` that is decided in the run. */
  skipAt?: Position
  skipReason?: string | undefined
}

/** The keys of a step that its plan has as they are written. */
export const asWritten = ['request', 'save', 'variables', 'iterate', 'call', 'todo', 'debug'] as const

/** A step of a loaded suite: plain data, ready to run. */
export type StepPlan = SkipPlan &
  Pick<StepInput, (typeof asWritten)[number]> & {
    phase: StepPhase
    /** 1-based number in its list. */
    number: number
    /** `step-<n>-<slug>` or the author's `step_id`; unique in the suite. */
    id: string
    name: string
    at: Position
    /** First and last line of the step in its file. */
    lines: readonly [first: number, last: number]
    /** JSON pointer to the step in the file; prefix of its template positions. */
    pointer: string
    /** How the body of the response is read, if not as its content type says. */
    bodyAs?: BodyKind | undefined
    stream?: StreamPlan | undefined
    burst?: BurstPlan | undefined
    websocket?: DialoguePlan | undefined
    /** True if the credentials are the defaults, which only the origin of `base_url` gets. */
    defaultAuth?: boolean
    checks: Check[]
    captures: Capture[]
    scenarios: Scenario[]
    retry?: RetryPlan | undefined
    tags: string[]
    continueOnFailure: boolean
    /** ms, or a text with a `{{…}}`. */
    delay: number | string
    advance: number
    only: boolean
    mocks: Mock[]
    /** Root names of the variables this step reads. */
    reads: string[]
    /** The names in `reads` and `externalReads` that its request, call or checks cannot do without. */
    needs: string[]
    /** Exports of other suites this step reads, as `<node_id>.<name>`. */
    externalReads: string[]
    /** Names this step provides to later ones. */
    provides: string[]
  }

/** A read that only another suite's export can satisfy. An `optional` one has a default or the like; a `condition` may hold without it. */
export type ForeignRead = {
  root: string
  name?: string
  optional?: boolean
  condition?: true
  /** Pointer of the step that reads it, unless it is written elsewhere, as in `defaults`. */
  step?: string
  /** True in the inputs of a call, which are filled in before the call. */
  input?: true
  /** Where a condition would find the fields of a response. */
  answer?: 'body' | 'event.data'
  range: Place
}

/** A suite named by node id or file; for a call, also the step it names. */
export type SuiteNeed = {
  suite: string
  range: Place
  isCall?: true
  step?: { name: string; range: Place }
  /** Variables that a call passes. */
  inputs?: { name: string; range: Place }[]
}

/** A suite that passed all load checks: plain JSON data, everything a worker needs to run it. */
export type SuitePlan = SkipPlan & {
  /** Path shown in messages, relative to the project root, with `/`. */
  file: string
  /** Absolute folder of the file; file names in the suite are relative to it. */
  folder: string
  nodeId: string
  name: string
  priority: 'critical' | 'high' | 'medium' | 'low'
  tags: string[]
  baseUrl: string | undefined
  variables: JsonObject
  exports: string[]
  /** Variables that exported suite variables read, by the name of the export. */
  exportReads: Record<string, string[]>
  /** Node ids of suites this one needs, listed or implied by `{{other.name}}`. */
  depends: string[]
  /** Reads like `{{other.name}}` whose root is not a variable of this suite. */
  foreign: ForeignRead[]
  /** Root names the suite reads outside its steps: in variables, `base_url`, `proxy`, `tls` and mocks. */
  reads: string[]
  /** Other suites as named in `depends` and `call`. */
  needs: SuiteNeed[]
  /** Node ids of called suites, by the names used in calls; known once the suite is linked. */
  calls?: Record<string, string>
  /** Place of the node id, or else of the suite's name. */
  nodeIdRange: Place
  /** Names read as `{{$env.NAME}}`, each once; their values are secret. It is `required` if it has no fallback. */
  env: { name: string; range: Place; required: boolean }[]
  usesFaker: boolean
  /** Names of values of the runner that are read, such as `echo_url`. */
  usesGiven: string[]
  timeout: number | undefined
  followRedirects: boolean | number | undefined
  cookies: boolean
  onFailure: undefined | 'skip-dependents' | 'stop' | 'continue'
  prerequisites: undefined | 'needed' | 'all'
  /** Connection settings: `insecure`, `http2`, `proxy`, `tls`. */
  connection: ConnectionInput
  xmlNamespaces: Namespaces | undefined
  redact: string[]
  clock: string | undefined
  each: JsonObject[] | undefined
  mocks: Mock[]
  setup: StepPlan[]
  steps: StepPlan[]
  teardown: StepPlan[]
  at: Position
  templates: TemplatePositions
  warnings: PlanWarning[]
  /** Absolute paths of other files used for the plan; editing one of them counts as editing the suite. */
  files: string[]
  /**
   * True for a suite of flow-test-engine: numbers and booleans equal their texts, a capture that finds nothing is null, every
   * matching scenario runs, a step may pass although its `retry.on` still holds, and exports of dependencies are read by their
   * bare names.
   */
  isLenient: boolean
}

/** A warning about a suite that can run, as results show it, with the problem that was found. */
export type PlanWarning = ResultWarning & { problem: Problem }

/** Path of a step in its suite file. */
export function pathOf({ phase, number }: Pick<StepPlan, 'phase' | 'number'>): [list: string, index: number] {
  return [phase === 'step' ? 'steps' : phase, number - 1]
}

/** All steps in the order in which they run. */
export function listSteps(plan: SuitePlan): StepPlan[] {
  return stepLists.flatMap((list) => plan[list])
}

/** The names of what a suite itself gives a value: its variables, captures, and the keys of its rows. */
export function listVariables(plan: SuitePlan): string[] {
  const rows = (plan.each ?? []).flatMap((row) => Object.keys(row))
  return [...Object.keys(plan.variables), ...listSteps(plan).flatMap(({ provides }) => provides), ...rows]
}

/** True if a suite, or one of its steps, has mocks. */
export function hasMocks(plan: SuitePlan): boolean {
  return [plan, ...listSteps(plan)].some(({ mocks }) => mocks.length > 0)
}

/** The steps that a call of a suite runs: the one with that id or name, or all. */
export function listCalled(plan: SuitePlan, step: string | undefined): StepPlan[] {
  return listSteps(plan).filter(({ id, name }) => step === undefined || id === step || name === step)
}

/** Names a step provides to later ones: its captures, and the node id of the suite it calls. */
export function listProvided({ provides, call }: StepPlan, calls: SuitePlan['calls']): readonly string[] {
  return call ? [...provides, calls?.[call.suite] ?? call.suite] : provides
}

/** An export and, if it is a suite variable, the variables that it reads. */
export function followExport({ exportReads }: SuitePlan, name: string): string[] {
  return [name, ...(Object.hasOwn(exportReads, name) ? (exportReads[name] as string[]) : [])]
}

type Judged = Pick<StepPlan, 'checks' | 'captures'>

/** Everything with checks and captures in a step: the step itself, the branches of its scenarios, and the expectations of its WebSocket. */
export function listParts(step: Judged & Pick<StepPlan, 'scenarios' | 'websocket'>): Judged[] {
  const expected = (step.websocket?.exchange ?? []).filter((item) => item.kind === 'expect')
  return [step, ...listBranches(step.scenarios), ...expected]
}

export function listChecks(plan: SuitePlan): Check[] {
  return listSteps(plan).flatMap((step) => listParts(step).flatMap(({ checks }) => checks))
}

export function listBranches(scenarios: readonly Scenario[]): Branch[] {
  return scenarios.flatMap(({ then, otherwise }) => [then, otherwise]).filter((one) => one !== undefined)
}
