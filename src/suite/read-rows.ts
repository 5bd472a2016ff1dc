import { extname } from 'node:path'
import { hasTemplate } from '../interpolation/template.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import type { LoadContext } from './load-context.ts'
import { parseRows } from './parse-rows.ts'

const PATH = ['each', 'file']

/** Reads the rows of `each`: as written, or from a CSV, JSON or YAML file. What a row says is data, never a template. */
export async function readRows(
  each: Json | undefined,
  context: LoadContext,
): Promise<JsonObject[] | undefined> {
  if (Array.isArray(each)) return readInline(each, context)
  if (!isJsonObject(each) || typeof each['file'] !== 'string' || each['file'].trim() === '') return undefined
  const name = each['file']
  const extension = extname(name).toLowerCase()
  if (!['.csv', '.json', '.yaml', '.yml'].includes(extension)) {
    context.report(PATH, {
      code: 'bad-value',
      message: `Expected \`each.file\` to be a .csv, .json or .yaml file, got \`${name}\`.`,
    })
    return undefined
  }
  const text = context.readFile(name, PATH)
  if (text === undefined) return undefined
  const parsed = await parseRows(text, extension)
  if (!('problem' in parsed)) return parsed.rows
  context.report(PATH, {
    code: 'bad-value',
    message: `\`${name}\` cannot be read: ${parsed.problem}`,
    hint: 'CSV needs a header line and at least one row; JSON and YAML are a list of maps.',
  })
  return undefined
}

function readInline(each: readonly Json[], context: LoadContext): JsonObject[] {
  for (const [index, row] of each.entries())
    for (const [name, value] of isJsonObject(row) ? Object.entries(row) : [])
      if (hasTemplate(value))
        context.report(['each', index, name], {
          code: 'ignored',
          severity: 'warning',
          message: `The \`{{…}}\` in the row value \`${name}\` is not filled in: rows are data.`,
          hint: 'Put it into `variables`, which may read the keys of the row.',
        })
  return each.filter(isJsonObject)
}
