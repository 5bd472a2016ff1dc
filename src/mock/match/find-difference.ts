import { isJsonObject, readOwn, type Json, type JsonObject } from '../../json.ts'
import { describeValue } from '../../request/build-problem.ts'

type Pair = { expected: Json; actual: Json | undefined; path: string }

/**
 * Says in words where a request lacks what a mock asks for, or returns undefined when it has it all.
 * A map asks for its own keys only, a list for every element in order; types are strict, as in JSON.
 */
export function findDifference(expected: Json, actual: Json | undefined, path: string): string | undefined {
  const open: Pair[] = [{ expected, actual, path }]
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const { expected, actual, path } = pair
    if (Array.isArray(expected)) {
      if (!Array.isArray(actual) || actual.length !== expected.length) return describePair(pair)
      expected.forEach((item, index) =>
        open.push({ expected: item, actual: actual[index], path: `${path}[${index}]` }),
      )
    } else if (isJsonObject(expected)) {
      if (!isJsonObject(actual)) return describePair(pair)
      for (const key of Object.keys(expected))
        open.push({
          expected: expected[key] as Json,
          actual: readOwn(actual, key),
          path: `${path}.${key}`,
        })
    } else if (expected !== actual) return describePair(pair)
  }
  return undefined
}

/** The same for query parameters and headers, whose values are texts: `5` asks for the text `5`, null for the absence of the name. */
export function findFieldDifference(
  expected: JsonObject,
  actual: JsonObject,
  path: string,
): string | undefined {
  for (const [name, value] of Object.entries(expected)) {
    const found = readOwn(actual, name)
    const same =
      value === null ? found === undefined : found !== undefined && listTexts(value) === listTexts(found)
    if (!same) return describePair({ expected: value, actual: found, path: `${path}.${name}` })
  }
  return undefined
}

// One text is the same as a list of it: `?tag=a` for `tag: [a]`. What has members is not a text and equals none.
function listTexts(value: Json): string | undefined {
  const items = Array.isArray(value) ? value : [value]
  if (items.some((item) => typeof item === 'object')) return undefined
  return JSON.stringify(items.map(String))
}

function describePair({ expected, actual, path }: Pair): string {
  return `\`${path}\` is ${describeValue(expected)} where the request has ${describeValue(actual)}`
}
