import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { descend } from '../../src/interpolation/variables/scope.ts'
import { isJsonObject, type Json } from '../../src/json.ts'
import { nameFile, readSuiteFile } from '../../src/report/files/suite-file.ts'
import type { SuiteResult } from '../../src/run/result.ts'

/** The redacted result of a suite's last run. If the suite has rows, it is that of the first row. */
export function readLastRun(outputDir: string, nodeId: string, file: string): SuiteResult | undefined {
  const folder = join(outputDir, 'suites')
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : []
  // After the id, a file's name may have the number of a row, or of another suite with the same id.
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

/** Lists what may follow a path before `offset`, such as `body.items[0].`, in the last response of the step on that line. */
export function listBelow(run: SuiteResult, text: string, offset: number): [name: string, value: Json][] {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  const path = /^(.*)(?<!request\.)\b(body|data|headers)((?:\.[\w-]+|\[\d+\])*)\.[\w-]*$/
  const [, before = '', root = '', members = ''] = path.exec(line) ?? []
  const row = text.slice(0, offset).split('\n').length
  const response = run.steps_results.findLast(({ line: at = Infinity }) => at <= row)?.response_details
  if (root === '' || !response) return []
  const start = root === 'data' ? descend(response.body, ['data']) : response[root as 'body' | 'headers']
  const value = descend(start, members.match(/[\w-]+/g) ?? [])
  // In a check the path is a key of the suite. Elsewhere it is JMESPath, which quotes unusual names.
  const isKey = root === 'headers' || /(?:^|[{,])\s*["']?$/.test(before)
  const fits = isKey ? /^[^.[\]|"':]+$/ : /^[A-Za-z_]\w*$/
  const below = Object.entries(isJsonObject(value) ? value : {})
  return below.flatMap(([name, member]): [string, Json][] =>
    fits.test(name) ? [[name, member]] : isKey ? [] : [[JSON.stringify(name), member]],
  )
}
