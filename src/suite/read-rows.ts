import { extname } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import type { LoadContext } from './load-context.ts'
import { readYaml } from './read-yaml.ts'
import type { SuiteInput } from './schema.ts'

const PATH = ['each', 'file']

/** Reads the rows of `each`: as written, or from a CSV, JSON or YAML file. What a file says is data, never a template. */
export async function readRows(
  each: SuiteInput['each'],
  context: LoadContext,
): Promise<JsonObject[] | undefined> {
  if (Array.isArray(each)) return each.filter(isJsonObject)
  if (typeof each?.file !== 'string') return undefined
  const text = context.readFile(each.file, PATH)
  if (text === undefined) return undefined
  const rows = await parseRows(text, { name: each.file, context })
  if (rows === undefined) return undefined
  if (Array.isArray(rows) && rows.length > 0 && rows.every(isJsonObject)) return rows
  context.report(PATH, {
    code: 'bad-value',
    message: `Expected \`${each.file}\` to hold a list of rows, each a map with at least one row.`,
    hint: 'CSV needs a header line; JSON and YAML a list of maps.',
  })
  return undefined
}

async function parseRows(
  text: string,
  file: { name: string; context: LoadContext },
): Promise<Json | undefined> {
  const extension = extname(file.name).toLowerCase()
  try {
    if (extension === '.csv') return await parseCsv(text)
    if (extension === '.json') return JSON.parse(text) as Json
    if (extension === '.yaml' || extension === '.yml') return parseYamlRows(text)
  } catch (error) {
    file.context.report(PATH, {
      code: 'bad-value',
      message: `\`${file.name}\` cannot be read as ${extension.slice(1).toUpperCase()}: ${(error as Error).message}`,
    })
    return undefined
  }
  file.context.report(PATH, {
    code: 'bad-value',
    message: `Expected \`each.file\` to be a .csv, .json or .yaml file, got \`${file.name}\`.`,
  })
  return undefined
}

/** RFC 4180 with a header line; cells stay text, as in the file. */
async function parseCsv(text: string): Promise<Json> {
  const { parse } = await import('csv-parse/sync')
  return parse(text, { columns: true, skip_empty_lines: true, trim: true, bom: true }) as Json
}

function parseYamlRows(text: string): Json | undefined {
  const { value, problems } = readYaml(text)
  if (problems[0]) throw new Error(problems[0].message)
  return value
}
