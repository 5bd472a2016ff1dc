import type { ConnectionInput } from '../../request/build/request-input.ts'
import type { Check } from '../../assertion/check.ts'
import type { Capture } from '../../capture/capture.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Mock } from '../../mock/mock.ts'
import type { Problem, ResultWarning } from '../../errors.ts'
import type { SocketMessage } from '../../request/exchange.ts'
import type { BodyKind } from '../../request/receive/decode-body.ts'
import type { Namespaces } from '../../request/markup/xpath.ts'
import type { Branch, Scenario } from '../../scenario/scenario.ts'
import type { Position, Place } from '../../source.ts'
import type { StepInput } from '../schema/schema.ts'
import type { TemplatePositions } from '../source-tree.ts'

/** Retry settings with every default filled in; times in ms. */
export type RetryPlan = {
  maxAttempts: number
  baseDelay: number
  maxDelay: number
  backoff: 'fixed' | 'exponential'
  /** Status codes and classes, or a condition. */
  on?: (number | string)[] | string | undefined
  until?: string | undefined
  at: Position
  /** Settings whose values are known when the step runs. */
  open?: OpenSetting[]
}

/** A setting of `retry` with a `{{…}}`. */
export type OpenSetting = { key: 'maxAttempts' | 'baseDelay' | 'maxDelay'; text: string; pointer: string }

/** When the answer of a step, read as a stream, is enough. */
export type StreamPlan = {
  /** JavaScript condition on an `event`. */
  until?: string | undefined
  /** So many are enough, or the most among which `until` has to hold for one. */
  events?: number | undefined
  within?: number | undefined
  at: Position
}

/** How often a request is sent, and how many of them at a time. */
export type BurstPlan = { times: number; concurrent: number }

/** One turn of a WebSocket: what is sent, what is expected of the next message, or its end. */
export type DialogueItem =
  | { kind: 'send'; value: Json; isBinary?: true; pointer: string; at: Position }
  | {
      kind: 'expect'
      name: string
      /** The type the message has to be of, and where that is written. */
      type?: { wanted: SocketMessage['type']; at: Position } | undefined
      checks: Check[]
      captures: Capture[]
      within?: number | undefined
      /** No message is to come for so long. */
      isNone: boolean
      at: Position
    }
  | { kind: 'close'; code: number; at: Position }

/** What a step says and hears over a WebSocket; its `request` is the handshake. */
export type DialoguePlan = { protocols: string[]; exchange: DialogueItem[] }

/** Which list of the suite a step is in. */
export type StepPhase = 'setup' | 'step' | 'teardown'

/** Whether a step or a suite is left out. */
export type SkipPlan = {
  skip?: boolean | string | undefined
  /** Where a `skip` that is decided in the run is written. */
  skipAt?: Position
  skipReason?: string | undefined
}

/** What a step says itself that runs as it is written. */
type StepWords = Pick<StepInput, 'request' | 'save' | 'variables' | 'iterate' | 'call' | 'todo' | 'debug'>

/** One step of a loaded suite: plain data, ready to run. */
export type StepPlan = SkipPlan &
  StepWords & {
    phase: StepPhase
    /** 1-based place in its list. */
    number: number
    /** `step-<n>-<slug>` or the author's `step_id`; unique in the suite. */
    id: string
    name: string
    at: Position
    /** First and last line of the step in its file. */
    lines: readonly [first: number, last: number]
    /** JSON pointer of the step in the file, prefix of its template positions. */
    pointer: string
    /** How the body of the answer is read, if not as its content type says. */
    bodyAs?: BodyKind | undefined
    stream?: StreamPlan | undefined
    burst?: BurstPlan | undefined
    websocket?: DialoguePlan | undefined
    /** The credentials are the defaults: only the origin of `base_url` gets them. */
    defaultAuth?: boolean
    checks: Check[]
    captures: Capture[]
    scenarios: Scenario[]
    retry?: RetryPlan | undefined
    tags: string[]
    continueOnFailure: boolean
    /** ms, or a text with a `{{…}}`. */
    delay: number | string
    /** ms by which the suite's clock moves before the request. */
    advance: number
    only: boolean
    mocks: Mock[]
    /** Root names of the variables this step reads. */
    reads: string[]
    /** Those of them, and of `externalReads`, without which its request, calls or checks cannot be filled in. */
    needs: string[]
    /** Exports of other suites this step reads, as `<node_id>.<name>`. */
    externalReads: string[]
    /** Names that later steps can read because of this step. */
    provides: string[]
  }

/** An environment variable that a suite reads, and the variable that has its value. */
type EnvRead = { name: string; range: Place; required: boolean; variable?: string | undefined }

/** A read that only another suite's export can satisfy; an `optional` one has a default or the like, a `condition` may pass without it. */
export type ForeignRead = {
  root: string
  name?: string
  optional?: boolean
  condition?: true
  /** Where a condition finds the fields of an answer. */
  answer?: 'body' | 'event.data'
  range: Place
}

/** A suite that is named by its node id or file, and of a call the step it names. */
export type SuiteNeed = {
  suite: string
  range: Place
  isCall?: true
  step?: { name: string; range: Place }
  /** Variables that a call gives. */
  inputs?: { name: string; range: Place }[]
}

/** A suite that passed every load check: plain JSON data, all a worker needs to run it. */
export type SuitePlan = SkipPlan & {
  /** Path shown in messages, relative to the project root, with `/`. */
  file: string
  /** Absolute folder of the file; files the suite names are relative to it. */
  folder: string
  nodeId: string
  name: string
  priority: 'critical' | 'high' | 'medium' | 'low'
  tags: string[]
  baseUrl: string | undefined
  variables: JsonObject
  exports: string[]
  /** What exported suite variables read, by their names. */
  exportReads: Record<string, string[]>
  /** Node ids of suites this one needs, written or implied by `{{other.name}}`. */
  depends: string[]
  /** Reads like `{{other.name}}` whose root is not a variable of this suite. */
  foreign: ForeignRead[]
  /** Root names that the suite reads outside its steps: in variables, base url and mocks. */
  reads: string[]
  /** Other suites as they are named in `depends` and `call`. */
  needs: SuiteNeed[]
  /** Node ids of the suites that are called, by the names they are called by; known where the suite is linked. */
  calls?: Record<string, string>
  /** Where the node id stands, or else the suite's name. */
  nodeIdRange: Place
  /** What is read as `{{$env.NAME}}`, each name once: the values are secret. `required` where nothing stands for a missing one. */
  env: EnvRead[]
  usesFaker: boolean
  /** Names of the runner's own values that are read, such as `echo_url`. */
  usesGiven: string[]
  timeout: number | undefined
  followRedirects: boolean | number | undefined
  cookies: boolean
  onFailure: undefined | 'skip-dependents' | 'stop' | 'continue'
  /** How requests connect: `insecure`, `http2`, `proxy`, `tls`. */
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
  /** Absolute paths of further files that went into the plan: an edit of one of them is an edit of the suite. */
  files: string[]
  /**
   * The suite is of flow-test-engine: numbers and booleans equal their texts, a capture that finds nothing is null, every
   * scenario that matches runs, a step may pass although its `retry.on` still holds, and the exports of suites one depends
   * on are read by their bare names.
   */
  isLenient: boolean
}

/** What is doubtful in a suite that can run: as results show it, and as it was found. */
export type PlanWarning = Required<ResultWarning> & { problem: Problem }

/** Where a step is in its suite file. */
export function pathOf({ phase, number }: Pick<StepPlan, 'phase' | 'number'>): [list: string, index: number] {
  return [phase === 'step' ? 'steps' : phase, number - 1]
}

/** All steps in the order they run. */
export function listSteps(plan: SuitePlan): StepPlan[] {
  return [...plan.setup, ...plan.steps, ...plan.teardown]
}

/** All that a step checks and captures: itself, the branches of its scenarios, and what its WebSocket expects. */
export function listParts(step: StepPlan): Pick<StepPlan, 'checks' | 'captures'>[] {
  const expected = (step.websocket?.exchange ?? []).filter((item) => item.kind === 'expect')
  return [step, ...listBranches(step.scenarios), ...expected]
}

/** All checks that the steps of a suite make. */
export function listChecks(plan: SuitePlan): Check[] {
  return listSteps(plan)
    .flatMap(listParts)
    .flatMap(({ checks }) => checks)
}

/** The branches that scenarios have. */
export function listBranches(scenarios: readonly Scenario[]): Branch[] {
  return scenarios.flatMap(({ then, otherwise }) => [then, otherwise]).filter((one) => one !== undefined)
}
