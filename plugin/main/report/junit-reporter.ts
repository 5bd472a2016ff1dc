import { JUnitReporter, type Vitest } from 'vitest/node'
import { escapeControl } from '../../../src/escape-control.ts'
import { collectWarnings } from './collect-warnings.ts'

type Tasks = Parameters<JUnitReporter['writeTasks']>[0]

/**
 * Vitest's JUnit reporter with more of each step: why it was skipped, as the message of `<skipped>`, and method, path, status
 * code and request time as properties; and the warnings of each suite. The tasks it gets are copies of its own: no other reporter sees what is changed.
 */
class StepJunitReporter extends JUnitReporter {
  /** Why the next test cases were skipped, in their order; undefined for those Vitest writes as ever. */
  #reasons: (string | undefined)[] = []

  override async writeTasks(tasks: Tasks, filename: string, path: string): Promise<void> {
    this.#reasons = tasks.map(readSkipReason)
    await super.writeTasks(tasks.map(addProperties), filename, path)
    const file = tasks[0]?.file
    const warnings = file ? collectWarnings(file) : []
    if (warnings.length === 0) return
    const said = warnings.map(
      ({ line, column, message }) => `${filename}:${line}:${column} warning: ${escapeControl(message)}`,
    )
    const logs = [{ type: 'stdout', content: said.join('\n') }]
    await this.writeLogs({ logs } as unknown as Tasks[number], 'out')
  }

  override writeElement(...[name, attributes, children]: Parameters<JUnitReporter['writeElement']>) {
    const message = name === 'testcase' ? this.#reasons.shift() : undefined
    if (message === undefined) return super.writeElement(name, attributes, children)
    return super.writeElement(name, attributes, async () => {
      await super.writeElement('skipped', { message }, async () => {})
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

function readSkipReason({ mode, meta }: Tasks[number]): string | undefined {
  const step = meta.suitecase
  return mode === 'skip' && step?.kind === 'step' ? (step.skip_reason ?? step.not_run) : undefined
}

function addProperties(task: Tasks[number]): Tasks[number] {
  const meta = task.meta.suitecase
  if (task.type !== 'test' || meta?.kind !== 'step') return task
  const { method, path, status_code: status, duration_ms } = meta
  const annotations = Object.entries({ method, path, status, duration_ms }).flatMap(([type, value]) =>
    value === undefined ? [] : [{ type, message: escapeControl(String(value)) }],
  )
  return {
    ...task,
    annotations: [...task.annotations, ...annotations],
    // Written with its reason, it must not be written once more without.
    ...(readSkipReason(task) !== undefined && { mode: 'run' as const }),
  }
}
