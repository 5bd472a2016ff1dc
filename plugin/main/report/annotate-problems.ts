import { experimental_getRunnerTask, type Reporter, type TestModule, type Vitest } from 'vitest/node'
import { escapeControl } from '../../../src/escape-control.ts'
import { readProblems } from '../../../src/errors.ts'
import { collectWarnings } from './collect-warnings.ts'
import { findReporter } from './find-reporter.ts'
import { isSuiteFile } from './read-module.ts'

type GithubOptions = { onWritePath?: (path: string) => string }

/**
 * Annotates warnings, and the mistakes of suite files that could not be loaded, each at its line, where Vitest's
 * `github-actions` reporter is in use: that one annotates only failures of files that were loaded.
 */
export function addAnnotations(vitest: Vitest): void {
  const github = findReporter(vitest, 'github-actions')
  if (!github) return
  const options = (Array.isArray(github) ? github[1] : undefined) as GithubOptions | undefined
  const { onWritePath = (path: string) => path } = options ?? {}
  const reporter: Reporter = {
    onTestRunEnd(modules) {
      for (const module of modules)
        for (const command of listCommands(module, onWritePath)) vitest.logger.log(`\n${command}`)
    },
  }
  ;(vitest.config.reporters as unknown[]).push(reporter)
}

function listCommands(module: TestModule, onWritePath: (path: string) => string): string[] {
  const { moduleId, project, relativeModuleId } = module
  const title = `[${project.name}] ${relativeModuleId}`
  const file = onWritePath(moduleId)
  const mistakes = isSuiteFile(moduleId)
    ? module.errors().flatMap(({ message }) => readProblems(message))
    : []
  const warnings = collectWarnings(experimental_getRunnerTask(module))
  return [
    ...mistakes.map(({ line, column, text }) => printCommand('error', text, { file, title, line, column })),
    ...warnings.map(({ line, column, message }) =>
      printCommand('warning', escapeControl(message), { file, title, line, column }),
    ),
  ]
}

/** A workflow command, escaped as GitHub's own toolkit does (actions/toolkit, `packages/core/src/command.ts`). */
function printCommand(
  command: 'error' | 'warning',
  message: string,
  properties: Record<string, string | number>,
): string {
  const listed = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  )
  return `::${command} ${listed.join(',')}::${escapeData(message)}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
