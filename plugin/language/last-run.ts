import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { descend } from '../../src/interpolation/variables/scope.ts'
import { isJsonObject, type Json } from '../../src/json.ts'
import { nameFile } from '../../src/report/files/name-file.ts'
import { readSuiteFile } from '../../src/report/files/serialise-suite.ts'
import type { StepResult, SuiteResult } from '../../src/run/result.ts'

/** The redacted result of a suite's last run. For a suite with rows it is the first one. */
export function readLastRun(outputDir: string, nodeId: string, file: string): SuiteResult | undefined {
  const folder = join(outputDir, 'suites')
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : []
  // The name may be followed by a row number or a hash.
  for (const name of names.filter((one) => one.startsWith(nameFile(nodeId)))) {
    const result = readSuiteFile(join(folder, name))
    if (result.file_path === file) return result
  }
  return undefined
}

/** The last value of a variable, a capture or another suite's export, or of a member of it. */
export function findLastValue(
  run: SuiteResult,
  name: string,
  members: readonly (string | number)[],
): Json | undefined {
  const values = { ...run.available_variables, ...run.variables_captured }
  const [first, ...rest] = members
  const exported = values[`${name}.${first}`]
  return exported === undefined ? descend(values[name], members) : descend(exported, rest)
}

/** The members of a path such as `body.items[0]` in the last answer of the step around a place in the text. */
export function listBelow(run: SuiteResult, before: string): [name: string, value: Json][] {
  const [, root = '', path = ''] = /\b(body|data|headers)((?:\.[\w-]+|\[\d+\])*)\.[\w-]*$/.exec(before) ?? []
  const response = root === '' ? undefined : findStep(run, before)?.response_details
  if (!response) return []
  const start = root === 'data' ? descend(response.body, ['data']) : response[root as 'body' | 'headers']
  const value = descend(start, path.match(/[\w-]+/g) ?? [])
  return isJsonObject(value) ? Object.entries(value) : []
}

/** The step whose name comes last before a place. */
function findStep({ steps_results }: SuiteResult, before: string): StepResult | undefined {
  const lines = before.split('\n')
  const line = lines.findLastIndex((text) => /^\s*-\s+name:/.test(text))
  const name = /name:\s*(['"]?)(?<name>.*?)\1\s*(?:#.*)?$/.exec(lines[line] ?? '')?.groups?.['name']
  return (
    steps_results.find((step) => step.step_name === name) ??
    steps_results.find((step) => step.line === line + 1)
  )
}
