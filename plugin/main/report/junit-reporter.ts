import { JUnitReporter, type Vitest } from 'vitest/node'
import { escapeControl } from '../../../src/escape-control.ts'
import { collectWarnings } from './collect-warnings.ts'

type Tasks = Parameters<JUnitReporter['writeTasks']>[0]

/** Vitest's JUnit reporter that also has the warnings of each suite. */
class StepJunitReporter extends JUnitReporter {
  override async writeTasks(tasks: Tasks, filename: string, path: string): Promise<void> {
    await super.writeTasks(tasks, filename, path)
    const file = tasks[0]?.file
    const warnings = file ? collectWarnings(file) : []
    if (warnings.length === 0) return
    const said = warnings.map(
      ({ line, column, message }) => `${filename}:${line}:${column} warning: ${escapeControl(message)}`,
    )
    const logs = [{ type: 'stdout', content: said.join('\n') }]
    await this.writeLogs({ logs } as unknown as Tasks[number], 'out')
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
