import { parseJson, isJsonObject, type Json, type JsonObject } from '../json.ts'
import { indexLines, positionAt } from '../source.ts'
import { MAX_LEVELS } from './yaml/find-deep-token.ts'
import { readYaml } from './yaml/read-yaml.ts'

/** Rows of a data file, or a sentence on why there are none. */
export type ParsedRows = { rows: JsonObject[] } | { problem: string }

/** Parses a data file by its extension (`.csv`, `.json`, `.yaml`, `.yml`): a list of maps with at least one. */
export async function parseRows(text: string, extension: string): Promise<ParsedRows> {
  const parsed =
    extension === '.csv' ? await parseCsv(text) : extension === '.json' ? readJson(text) : parseYaml(text)
  if ('problem' in parsed) return parsed
  const { value } = parsed
  if (!Array.isArray(value)) return { problem: 'It holds no list of rows.' }
  if (value.length === 0) return { problem: 'It has no rows.' }
  const bad = value.findIndex((row) => !isJsonObject(row))
  return bad === -1 ? { rows: value as JsonObject[] } : { problem: `Row ${bad + 1} is not a map.` }
}

type Parsed = { value: Json } | { problem: string }

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
    return isDeep(value) ? { problem: `It nests deeper than ${MAX_LEVELS} levels.` } : { value }
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: `${error.message}.` }
    // A reviver is called recursively: only nesting far beyond our limit gets here.
    if (error instanceof RangeError) return { problem: `It nests deeper than ${MAX_LEVELS} levels.` }
    throw error
  }
}

function isDeep(value: Json): boolean {
  let level: Json[] = [value]
  for (let depth = 0; depth <= MAX_LEVELS; depth += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}

function parseYaml(text: string): Parsed {
  const { value, problems } = readYaml(text)
  const [first] = problems
  if (!first) return { value: value ?? null }
  const [line, column] = positionAt(indexLines(text), first.range[0])
  return { problem: `Line ${line}, column ${column}: ${first.message}` }
}
