import { extname } from 'node:path'
import { hasTemplate } from '../interpolation/template.ts'
import { isJsonObject, makeMap, parseJson, type Json, type JsonObject } from '../json.ts'
import type { LoadContext } from './load-context.ts'
import { isDeeper } from '../safe-json.ts'
import { indexLines, positionAt } from '../source.ts'
import { MAX_LEVELS } from './yaml/convert-yaml.ts'
import { readYaml } from './yaml/read-yaml.ts'

const PATH = ['each', 'file']

/** Readers of data files by extension; they throw a `SyntaxError` that says what is wrong. */
const READERS: Readonly<Record<string, (text: string) => Json | Promise<Json>>> = {
  '.csv': parseCsv,
  '.json': parseJson,
  '.yaml': parseYaml,
  '.yml': parseYaml,
}

/** Reads the rows of `each`: as written, or from a CSV, JSON or YAML file. Rows are data, never templates. */
export async function readRows(
  each: Json | undefined,
  context: LoadContext,
): Promise<JsonObject[] | undefined> {
  if (Array.isArray(each)) return readInline(each, context)
  if (!isJsonObject(each) || typeof each['file'] !== 'string' || each['file'].trim() === '') return undefined
  const name = each['file']
  const read = READERS[extname(name).toLowerCase()]
  if (!read)
    context.report(PATH, {
      message: `Expected \`each.file\` to be a .csv, .json or .yaml file, got \`${name}\`.`,
    })
  const text = read && context.readFile(name, PATH)
  if (text === undefined || read === undefined) return undefined
  try {
    return checkRows(await read(text))
  } catch (error) {
    // Only nesting far beyond our limit overflows the stack of a parser.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    context.report(PATH, {
      message: `\`${name}\` cannot be read: ${error.message}.`,
      hint: 'A CSV file needs a header line and at least one row; a JSON or YAML file must be a list of maps.',
    })
    return undefined
  }
}

function readInline(each: readonly Json[], context: LoadContext): JsonObject[] {
  for (const [index, row] of each.entries())
    for (const [name, value] of isJsonObject(row) ? Object.entries(row) : [])
      if (hasTemplate(value))
        context.report(['each', index, name], {
          code: 'ignored',
          message: `The \`{{…}}\` in the row value \`${name}\` is not filled in: rows are data.`,
          hint: 'Put it in `variables`, which can read the keys of the row.',
        })
  return each.filter(isJsonObject)
}

function checkRows(rows: Json): JsonObject[] {
  if (isDeeper(rows, MAX_LEVELS)) throw new SyntaxError(`It nests deeper than ${MAX_LEVELS} levels`)
  if (!Array.isArray(rows)) throw new SyntaxError('It does not contain a list of rows')
  if (rows.length === 0) throw new SyntaxError('It has no rows')
  const bad = rows.findIndex((row) => !isJsonObject(row))
  if (bad !== -1) throw new SyntaxError(`Row ${bad + 1} is not a map`)
  return rows as JsonObject[]
}

/** Parses CSV (RFC 4180) with a header line; cells stay text. */
async function parseCsv(text: string): Promise<Json> {
  const { CsvError, parse } = await import('csv-parse/sync')
  try {
    const how = { skip_empty_lines: true, trim: true }
    const [header = []] = parse(text, { ...how, to: 1 })
    const twice = header.find((name, index) => header.indexOf(name) !== index)
    if (twice !== undefined) throw new SyntaxError(`The column \`${twice}\` appears twice in the header line`)
    if (header.includes('')) throw new SyntaxError('A column has no name in the header line')
    if (header.length === 1 && /[;\t]/.test(header[0] as string))
      throw new SyntaxError(
        `The header line has only one column, \`${header[0]}\`: separate cells with commas`,
      )
    const [, ...records] = parse(text, how)
    // The library's own rows have a prototype, so a column `__proto__` would get lost.
    return records.map((record) => makeMap(header.map((name, at) => [name, record[at] ?? ''])))
  } catch (error) {
    throw error instanceof CsvError ? new SyntaxError(error.message) : error
  }
}

function parseYaml(text: string): Json {
  const { value, problems } = readYaml(text, Infinity)
  const [first] = problems
  if (!first) return value ?? null
  const [line, column] = positionAt(indexLines(text), first.range[0])
  throw new SyntaxError(`Line ${line}, column ${column}: ${first.message.replace(/\.$/, '')}`)
}
