import { JUnitReporter, type Vitest } from 'vitest/node'
import { escapeControl } from '../../../src/escape-control.ts'

type Tasks = Parameters<JUnitReporter['writeTasks']>[0]

/** Vitest's JUnit reporter that also says why a test was skipped, as the message of `<skipped>`. */
class StepJunitReporter extends JUnitReporter {
  /** Why the next test cases were skipped, in their order; undefined for those Vitest writes as ever. */
  #reasons: (string | undefined)[] = []

  override async writeTasks(tasks: Tasks, filename: string, path: string): Promise<void> {
    this.#reasons = tasks.map(({ mode, result }) =>
      mode === 'skip' ? (result as { note?: string } | undefined)?.note : undefined,
    )
    // Written with its reason, a skipped test must not be written once more without.
    const others = tasks.map((task, index) =>
      this.#reasons[index] === undefined ? task : { ...task, mode: 'run' as const },
    )
    await super.writeTasks(others, filename, path)
  }

  override writeElement(...[name, attributes, children]: Parameters<JUnitReporter['writeElement']>) {
    const message = name === 'testcase' ? this.#reasons.shift() : undefined
    if (message === undefined) return super.writeElement(name, attributes, children)
    return super.writeElement(name, attributes, async () => {
      await super.writeElement('skipped', { message: escapeControl(message) }, async () => {})
      await children.call(this)
    })
  }
}

/** Puts this reporter where the user, or the command line, asked for Vitest's. */
export function replaceJunitReporter(vitest: Vitest): void {
  const reporters = vitest.config.reporters as unknown[]
  for (const [index, reporter] of reporters.entries()) {
    const [name, options] = [reporter].flat() as [unknown, ConstructorParameters<typeof JUnitReporter>[0]?]
    if (name === 'junit') reporters[index] = new StepJunitReporter(options ?? {})
  }
}
