import { dirname } from 'node:path'
import { resolvePath } from '../../../src/resolve-path.ts'
import type { SuitePlan } from '../../../src/suite/plan/plan.ts'
import { findFile, type SuiteLookup } from './suite-lookup.ts'

/** What calls of other suites in YAML pass to a suite. */
export type PassedInputs = {
  /** The names of the variables. */
  names: ReadonlySet<string>
  /** Whether the suite also runs by itself. */
  runsAlone: boolean
  /** False if a suite that may call it does not load. */
  isComplete: boolean
}

type SuiteIndex = Awaited<ReturnType<SuiteLookup['index']>>

/** The variables that calls pass, by the file of the called suite. */
type PassedByFile = ReadonlyMap<string, ReadonlySet<string>>

type Callers = {
  all: readonly { file: string; mentions: readonly string[]; files: readonly string[] }[]
  /** What suites pass that name files outside the index, and suites that only run where these call them. */
  outside: Promise<PassedByFile>
}

/** Found once for all suites, as each of a thousand may have a name without a value. */
const callersOf = new WeakMap<SuiteIndex, Callers>()

/** Lists what calls of other suites pass to the suite of a file. */
export async function listPassed(nodeId: string, path: string, suites: SuiteLookup): Promise<PassedInputs> {
  const index = await suites.index()
  const { all, outside } = callersOf.get(index) ?? findCallers(index, suites)
  const direct = all.filter(({ mentions, files }) => mentions.includes(nodeId) || files.includes(path))
  const ofDirect = (await collectPassed(direct, index, suites)).get(path) ?? []
  const names = new Set([...ofDirect, ...((await outside).get(path) ?? [])])
  const isLoaded = direct.map(({ file }) => suites.load(file).then(Boolean, () => false))
  const isComplete = (await Promise.all(isLoaded)).every(Boolean)
  return { names, runsAlone: index.has(path), isComplete }
}

function findCallers(index: SuiteIndex, suites: SuiteLookup): Callers {
  const all = Array.from(index, ([file, { mentions, files }]) => ({
    file,
    mentions,
    files: files.map((each) => resolvePath(dirname(file), each)),
  }))
  const open = all.filter(({ files }) => files.some((file) => !index.has(file)))
  const callers = { all, outside: collectPassed(open, index, suites) }
  callersOf.set(index, callers)
  return callers
}

async function collectPassed(
  callers: readonly { file: string }[],
  index: SuiteIndex,
  suites: SuiteLookup,
): Promise<PassedByFile> {
  const passed = new Map<string, Set<string>>()
  const seen = new Set<string>()
  const visit = async (caller: string): Promise<void> => {
    if (seen.has(caller)) return
    seen.add(caller)
    const { plan } = (await suites.load(caller).catch(() => undefined)) ?? {}
    for (const { suite, inputs } of plan?.needs ?? []) {
      const file = inputs && (await findFile(suites, suite, (plan as SuitePlan).folder))
      if (file === undefined) continue
      const names = passed.get(file) ?? new Set()
      for (const { name } of inputs ?? []) names.add(name)
      passed.set(file, names)
      // A suite that runs only where it is called may call others.
      if (!index.has(file)) await visit(file)
    }
  }
  for (const { file } of callers) await visit(file)
  return passed
}
