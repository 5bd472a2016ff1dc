import { parseJson, stringifyJson, type Json } from '../json.ts'
import { EngineError } from './errors.ts'
import { runBounded } from './expressions/bounded-run.ts'
import { loadOptional } from './load-optional.ts'
import { suggestName } from '../text/suggest.ts'

/** Generates data: `path` is the module and method, such as `internet`, `email`. Throws an `EngineError`. */
export type FakerSource = { call(path: readonly string[], passed: readonly Json[]): Json }

/**
 * Loads `@faker-js/faker` (English) as a generator of its own, repeatable by its seed. Rejects with an `EngineError` that
 * names the install command when the package is absent. Dates are drawn around the present. A call may take `limit` ms.
 */
export async function loadFaker(seed: number, limit: number = 1000): Promise<FakerSource> {
  const { faker: shared } = loadPackage()
  // The exported instance is shared by everyone in the process: a second one of its class has a sequence of its own.
  const Faker = shared.constructor as typeof import('@faker-js/faker').Faker
  const generators = listGenerators(new Faker({ locale: shared.rawDefinitions, seed }))
  return { call: (path, passed) => callFaker({ generators, limit }, path, passed) }
}

function loadPackage(): typeof import('@faker-js/faker/locale/en') {
  const module = loadOptional('@faker-js/faker/locale/en')
  if (module) return module as typeof import('@faker-js/faker/locale/en')
  throw new EngineError(
    'faker',
    'Generated data needs the package @faker-js/faker; install it with `npm i -D @faker-js/faker`',
  )
}

type Generator = (...passed: readonly Json[]) => unknown
type Generators = ReadonlyMap<string, ReadonlyMap<string, Generator>>

/** The methods of a faker by module and name; its own inner workings (`faker`, `fakerCore`) are none. */
function listGenerators(faker: object): Generators {
  const modules = new Map<string, Map<string, Generator>>()
  for (const [name, module] of Object.entries(faker)) {
    if (name === 'fakerCore' || typeof module !== 'object' || module === null) continue
    const methods = Object.entries(module as object).filter(([, method]) => typeof method === 'function')
    modules.set(name, new Map(methods as [string, Generator][]))
  }
  return modules
}

function callFaker(
  { generators, limit }: { generators: Generators; limit: number },
  path: readonly string[],
  passed: readonly Json[],
): Json {
  const shown = `$faker.${path.join('.')}`
  const [moduleName = '', methodName = '', ...rest] = path
  const methods = generators.get(moduleName)
  if (!methods) throw describeUnknown(shown, suggestName(moduleName, [...generators.keys()]))
  const method = rest.length === 0 ? methods.get(methodName) : undefined
  if (!method) {
    const nearest = suggestName(methodName, [...methods.keys()])
    throw describeUnknown(shown, nearest && `${moduleName}.${nearest}`)
  }
  const result = runBounded(limit, () => generate(method, passed, shown))
  if (!result)
    throw new EngineError(
      'faker',
      `\`${shown}\` ran longer than ${limit} ms (option \`limits.expression\`); ask for less`,
    )
  return result.value
}

function generate(method: Generator, passed: readonly Json[], shown: string): Json {
  try {
    // Dates become their texts; what JSON cannot carry is an error.
    return parseJson(stringifyJson(method(...passed)))
  } catch (error) {
    throw new EngineError('faker', `\`${shown}\`: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function describeUnknown(shown: string, nearest: string | undefined): EngineError {
  const hint = nearest === undefined ? 'see https://fakerjs.dev/api' : `did you mean \`$faker.${nearest}\`?`
  return new EngineError(
    'faker',
    `Expected a module and method of @faker-js/faker, got \`${shown}\`; ${hint}`,
  )
}
