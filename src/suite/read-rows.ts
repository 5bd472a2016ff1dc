import { extname } from 'node:path'
import { hasTemplate } from '../interpolation/template.ts'
import { isJsonObject, parseJson, type Json, type JsonObject } from '../json.ts'
import type { LoadContext } from './load-context.ts'
import { isDeeper } from '../safe-json.ts'
import { indexLines, positionAt } from '../source.ts'
import { MAX_LEVELS } from './yaml/conversion.ts'
import { readYaml } from './yaml/read-yaml.ts'

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
  if (!('problem' in parsed)) return parsed.value
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

/** What a data file holds, or a sentence on why that is nothing. */
type Parsed<Value = Json> = { value: Value } | { problem: string }

async function parseRows(text: string, extension: string): Promise<Parsed<JsonObject[]>> {
  const parsed =
    extension === '.csv' ? await parseCsv(text) : extension === '.json' ? readJson(text) : parseYaml(text)
  if ('problem' in parsed) return parsed
  const { value } = parsed
  if (!Array.isArray(value)) return { problem: 'It holds no list of rows.' }
  if (value.length === 0) return { problem: 'It has no rows.' }
  const bad = value.findIndex((row) => !isJsonObject(row))
  return bad === -1 ? { value: value as JsonObject[] } : { problem: `Row ${bad + 1} is not a map.` }
}

/** RFC 4180 with a header line; cells stay text, as in the file. */
async function parseCsv(text: string): Promise<Parsed> {
  const { CsvError, parse } = await import('csv-parse/sync')
  try {
    const [header = [], ...records] = parse(text, { skip_empty_lines: true, trim: true })
    const twice = header.find((name, index) => header.indexOf(name) !== index)
    if (twice !== undefined) return { problem: `The column \`${twice}\` appears twice in the header line.` }
    if (header.includes('')) return { problem: 'A column has no name in the header line.' }
    return { value: records.map((record) => toRow(header, record)) }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { problem: `${error.message}.` }
  }
}

// The library's own rows have a prototype, where a column `__proto__` gets lost.
function toRow(header: readonly string[], record: readonly string[]): JsonObject {
  const row = Object.create(null) as JsonObject
  for (const [index, name] of header.entries()) row[name] = record[index] ?? ''
  return row
}

function readJson(text: string): Parsed {
  try {
    const value = parseJson(text)
    return isDeeper(value, MAX_LEVELS) ? { problem: `It nests deeper than ${MAX_LEVELS} levels.` } : { value }
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: `${error.message}.` }
    // A reviver is called recursively: only nesting far beyond our limit gets here.
    if (error instanceof RangeError) return { problem: `It nests deeper than ${MAX_LEVELS} levels.` }
    throw error
  }
}

function parseYaml(text: string): Parsed {
  const { value, problems } = readYaml(text)
  const [first] = problems
  if (!first) return { value: value ?? null }
  const [line, column] = positionAt(indexLines(text), first.range[0])
  return { problem: `Line ${line}, column ${column}: ${first.message}` }
}
