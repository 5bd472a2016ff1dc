import { JUnitReporter, type Vitest } from 'vitest/node'
import { escapeControl } from '../../../src/escape-control.ts'

type Tasks = Parameters<JUnitReporter['writeTasks']>[0]

/** Vitest's JUnit reporter, extended to say why a test was skipped, as the message of `<skipped>`. */
class StepJunitReporter extends JUnitReporter {
  /** Why each of the next test cases was skipped, in order. Undefined for those written as usual. */
  #reasons: (string | undefined)[] = []

  override async writeTasks(tasks: Tasks, filename: string, path: string): Promise<void> {
    this.#reasons = tasks.map(({ mode, result }) =>
      mode === 'skip' ? (result as { note?: string } | undefined)?.note : undefined,
    )
    // Tests with a reason get their `<skipped>` from `writeElement`, so Vitest must not write a second one.
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

/** Puts this reporter in place of Vitest's, if the configuration or the command line asks for it. */
export function replaceJunitReporter(vitest: Vitest): void {
  const reporters = vitest.config.reporters as unknown[]
  for (const [index, reporter] of reporters.entries()) {
    const [name, options] = [reporter].flat() as [unknown, ConstructorParameters<typeof JUnitReporter>[0]?]
    if (name !== 'junit') continue
    reporters[index] = Object.assign(new StepJunitReporter(options ?? {}), { stdout: options?.stdout })
  }
}
