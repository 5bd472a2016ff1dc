import type { Figures } from './measure.ts'
import { usual, waiting, type Plan } from './texts.ts'

/** What is compared, by the name in the printed table. The values override what `writeFiles` is given. */
export const CANDIDATES = {
  'floor (undici)': {},
  'by hand, defaults': { isByHand: true },
  'by hand, threads': { isByHand: true, options: { pool: 'threads', isolate: false } },
  suitecase: {},
  'first run': {},
  'no report': { options: { report: false } },
}

export type Candidate = keyof typeof CANDIDATES

export type Target = {
  of: Candidate
  to: Candidate
  limit: number
  /** @default 'wall' */
  figure?: keyof Figures
}

/** What runs in one interleaved series, and what is expected of it. */
export type Workload = {
  plan: Plan
  size: { suites: number; steps: number }
  rounds: number
  /** All are compared with the first one. */
  candidates: readonly [Candidate, ...Candidate[]]
  /** Candidates that are too slow for every round, and run only in the first. */
  once?: readonly Candidate[]
  targets: readonly Target[]
}

export const WORKLOADS: Readonly<Record<string, Workload>> = {
  W1: {
    plan: usual,
    size: { suites: 1, steps: 1 },
    rounds: 11,
    candidates: ['floor (undici)', 'by hand, defaults', 'suitecase', 'first run'],
    targets: [
      { of: 'suitecase', to: 'by hand, defaults', limit: 1 },
      { of: 'first run', to: 'by hand, defaults', limit: 1.15 },
    ],
  },
  W2: {
    plan: usual,
    size: { suites: 1, steps: 1000 },
    rounds: 7,
    candidates: ['floor (undici)', 'by hand, defaults', 'by hand, threads', 'suitecase'],
    targets: [
      { of: 'suitecase', to: 'by hand, threads', limit: 0.7 },
      { of: 'suitecase', to: 'floor (undici)', limit: 2 },
    ],
  },
  W3: {
    plan: usual,
    size: { suites: 100, steps: 10 },
    rounds: 7,
    candidates: ['floor (undici)', 'by hand, defaults', 'by hand, threads', 'suitecase', 'first run'],
    once: ['by hand, defaults'],
    targets: [
      { of: 'suitecase', to: 'by hand, defaults', limit: 0.05 },
      { of: 'suitecase', to: 'by hand, threads', limit: 0.5 },
    ],
  },
  W4: {
    plan: usual,
    size: { suites: 1000, steps: 10 },
    rounds: 3,
    candidates: ['floor (undici)', 'by hand, threads', 'suitecase', 'no report', 'first run'],
    targets: [
      { of: 'suitecase', to: 'by hand, threads', limit: 0.33 },
      { of: 'suitecase', to: 'floor (undici)', limit: 1.7 },
      { of: 'suitecase', to: 'by hand, threads', limit: 0.6, figure: 'processor' },
      { of: 'suitecase', to: 'by hand, threads', limit: 1.1, figure: 'memory' },
      { of: 'suitecase', to: 'no report', limit: 1.05 },
    ],
  },
  waiting: {
    plan: waiting,
    size: { suites: 64, steps: 5 },
    rounds: 3,
    candidates: ['by hand, threads', 'suitecase'],
    once: ['by hand, threads'],
    targets: [{ of: 'suitecase', to: 'by hand, threads', limit: 0.06 }],
  },
}
