import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { readProblems } from '../../../src/errors.ts'
import { isSuiteFile } from './read-module.ts'

type GithubOptions = { onWritePath?: (path: string) => string }

/**
 * Annotates the mistakes of suite files that could not be loaded, each at its line, where Vitest's `github-actions`
 * reporter is in use: that one annotates only files that were loaded.
 */
export function addAnnotations(vitest: Vitest): void {
  const reporters = vitest.config.reporters as unknown as (string | [string, GithubOptions?])[]
  const github = reporters.find((each) => [each].flat()[0] === 'github-actions')
  if (!github) return
  const { onWritePath = (path: string) => path } = (Array.isArray(github) ? github[1] : undefined) ?? {}
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
  if (!isSuiteFile(moduleId)) return []
  return module.errors().flatMap(({ message }) =>
    readProblems(message).map(({ line, column, text }) =>
      printCommand(text, {
        file: onWritePath(moduleId),
        title: `[${project.name}] ${relativeModuleId}`,
        line,
        column,
      }),
    ),
  )
}

/** A workflow command, escaped as GitHub's own toolkit does (actions/toolkit, `packages/core/src/command.ts`). */
function printCommand(message: string, properties: Record<string, string | number>): string {
  const listed = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  )
  return `::error ${listed.join(',')}::${escapeData(message)}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
