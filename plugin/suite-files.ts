import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import type { Problem } from '../src/errors.ts'
import type { SourceFile } from '../src/source.ts'
import { findNearest } from '../src/suite/describe-issue.ts'
import { listSteps, type SuitePlan } from '../src/suite/plan.ts'
import { glanceAtSuite, type SuiteGlance } from '../src/suite/suite-index.ts'
import type { ResolvedOptions } from './options.ts'

/** A loaded suite with its text, which the source map carries. */
export type LoadedSuite = { plan: SuitePlan; source: SourceFile }

/** A quick look at a file, and the digest of its text. */
export type KnownGlance = SuiteGlance & { hash: string }

/** The suite files of one Vitest project: found once, read again only when they change. */
export class SuiteFiles {
  readonly root: string
  #options: ResolvedOptions
  #glances = new Map<string, KnownGlance>()
  /** Node id → files that have it. */
  #byNode = new Map<string, string[]>()
  #indexing: Promise<ReadonlyMap<string, KnownGlance>> | undefined
  #loaded = new Map<string, Promise<LoadedSuite>>()
  #listFiles: () => Promise<string[]>

  constructor(root: string, options: ResolvedOptions, listFiles: () => Promise<string[]>) {
    this.root = root
    this.#options = options
    this.#listFiles = listFiles
  }

  /** Forgets what is known of a file (and of suites that read it), after an edit. */
  async forget(path: string): Promise<void> {
    this.#indexing = undefined
    this.#glances.delete(path)
    this.#loaded.delete(path)
    for (const [file, loading] of this.#loaded) {
      const loaded = await loading.catch(() => undefined)
      if (!loaded || loaded.plan.files.includes(path)) this.#loaded.delete(file)
    }
  }

  /** Path as messages show it: relative to the project root, with `/`. */
  show(path: string): string {
    return relative(this.root, path).replaceAll('\\', '/')
  }

  /** What a quick look at every suite file tells; looked at once, and again after `forget`. */
  index(): Promise<ReadonlyMap<string, KnownGlance>> {
    this.#indexing ??= this.#index()
    return this.#indexing
  }

  async #index(): Promise<ReadonlyMap<string, KnownGlance>> {
    const files = new Set(await this.#listFiles())
    await Promise.all([...files].map((path) => this.#glance(path)))
    for (const path of this.#glances.keys()) if (!files.has(path)) this.#glances.delete(path)
    this.#byNode.clear()
    for (const [path, { nodeId }] of this.#glances)
      this.#byNode.set(nodeId, [...(this.#byNode.get(nodeId) ?? []), path])
    return this.#glances
  }

  async #glance(path: string): Promise<void> {
    if (this.#glances.has(path)) return
    const text = await readFile(path, 'utf8').catch(() => '')
    this.#glances.set(path, {
      ...glanceAtSuite(path, text),
      hash: createHash('sha1').update(text).digest('hex'),
    })
  }

  /** What a suite's module depends on beside its text, as far as a quick look tells; undefined for an unknown file. */
  fingerprint(path: string): string | undefined {
    const glance = this.#glances.get(path)
    if (!glance) return undefined
    const related = new Set([...glance.mentions, glance.nodeId].flatMap((id) => this.#byNode.get(id) ?? []))
    related.delete(path)
    const others = [...related].map((file) => {
      const other = this.#glances.get(file)
      return [file, other?.nodeId, other?.hash]
    })
    return createHash('sha1')
      .update(JSON.stringify([glance.nodeId, others]))
      .digest('hex')
  }

  /** Loads one suite, checking it on its own. Throws `SuiteError`. */
  load(path: string): Promise<LoadedSuite> {
    const known = this.#loaded.get(path)
    if (known) return known
    const loading = this.#read(path)
    this.#loaded.set(path, loading)
    return loading
  }

  async #read(path: string): Promise<LoadedSuite> {
    const bytes = await readFile(path, 'utf8')
    const source: SourceFile = { path: this.show(path), text: bytes.replace(/^\uFEFF/, '') }
    const { loadSuite } = await importLoader()
    const plan = await loadSuite(source, {
      folder: dirname(path),
      variables: Object.keys(this.#options.variables),
      compat: this.#options.compat !== undefined,
      ...(this.#options.limits?.fileSize !== undefined && {
        limits: { fileSize: this.#options.limits.fileSize },
      }),
    })
    return { plan, source }
  }

  /** File of a node id, or of a path relative to a suite's folder. */
  async find(reference: string, folder: string): Promise<string | undefined> {
    if (/\.ya?ml$/i.test(reference)) return resolve(folder, reference)
    for (const [path, glance] of await this.index()) if (glance.nodeId === reference) return path
    return undefined
  }

  /**
   * Loads a suite and checks it against the others: node ids are unique, what it reads is exported,
   * no suites need each other in a circle. Returns the files it needs by node id.
   */
  async link(path: string): Promise<LoadedSuite & { needs: ReadonlyMap<string, string> }> {
    const loaded = await this.load(path)
    const { plan, source } = loaded
    const problems: Problem[] = []
    await this.index()
    for (const other of this.#byNode.get(plan.nodeId) ?? [])
      if (other !== path)
        problems.push(
          problemAt(source, 'node_id', {
            code: 'duplicate-node-id',
            message: `The node id \`${plan.nodeId}\` is also that of \`${this.show(other)}\`.`,
            hint: 'Give each suite its own `node_id`.',
          }),
        )
    const needs = await this.#findNeeds(loaded, problems)
    for (const [nodeId, file] of needs) await this.#checkCircle({ path, file, nodeId, source, problems })
    if (problems.length > 0) throw (await importLoader()).createSuiteError(source, problems)
    return { ...loaded, needs }
  }

  async #findNeeds({ plan, source }: LoadedSuite, problems: Problem[]): Promise<Map<string, string>> {
    const needs = new Map<string, string>()
    const called = listSteps(plan).flatMap((step) => (step.call ? [step.call.suite] : []))
    const references = new Set([...plan.depends, ...called, ...plan.foreign.map(({ root }) => root)])
    if (references.size === 0) return needs
    const nodeIds = [...(await this.index()).values()].map(({ nodeId }) => nodeId)
    for (const reference of references) {
      const file = await this.find(reference, plan.folder)
      if (file) needs.set(reference, file)
      else if (plan.depends.includes(reference) || called.includes(reference)) {
        const nearest = findNearest(reference, nodeIds)
        problems.push(
          problemAt(source, reference, {
            code: 'unknown-reference',
            message: `No suite has the node id \`${reference}\`.`,
            hint: nearest ? `Did you mean \`${nearest}\`?` : `Known: ${nodeIds.join(', ')}.`,
          }),
        )
      }
    }
    return needs
  }

  async #checkCircle(link: {
    path: string
    file: string
    nodeId: string
    source: SourceFile
    problems: Problem[]
  }): Promise<void> {
    const trail = await this.#findTrail(link.file, link.path, [this.show(link.path)])
    if (!trail) return
    link.problems.push(
      problemAt(link.source, link.nodeId, {
        code: 'dependency-cycle',
        message: `These suites need each other in a circle: ${trail.join(' → ')}.`,
        hint: 'Move what they share into a suite of its own.',
      }),
    )
  }

  /** Files on the way from one suite to another through what suites need, or undefined. */
  async #findTrail(from: string, to: string, trail: string[]): Promise<string[] | undefined> {
    const here = [...trail, this.show(from)]
    if (from === to) return here
    if (trail.includes(this.show(from))) return undefined
    const loaded = await this.load(from).catch(() => undefined)
    if (!loaded) return undefined
    for (const file of (await this.#findNeeds(loaded, [])).values()) {
      const found = await this.#findTrail(file, to, here)
      if (found) return found
    }
    return undefined
  }
}

/** A run whose suites are all in Vitest's module cache needs neither YAML parser nor schema. */
function importLoader(): Promise<typeof import('../src/suite/load-suite.ts')> {
  return import('../src/suite/load-suite.ts')
}

function problemAt(
  source: SourceFile,
  word: string,
  problem: { code: Problem['code']; message: string; hint: string },
): Problem {
  const start = Math.max(0, source.text.indexOf(word))
  return { ...problem, severity: 'error', range: [start, start + word.length] }
}
