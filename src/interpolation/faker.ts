import { readMessage } from '../errors.ts'
import { parseJson, stringifyJson, type Json } from '../json.ts'
import { EngineError } from './errors.ts'
import { runBounded } from './expressions/bounded-run.ts'
import { loadOptional } from './load-optional.ts'

/** Generates data. `path`: module and method, such as `['internet', 'email']`. Throws an `EngineError`. */
export type FakerSource = { call(path: readonly string[], passed: readonly Json[]): Json }

type Package = typeof import('@faker-js/faker/locale/en')
type Generator = (...passed: readonly Json[]) => unknown

/** Creates a generator of English data that repeats with the seed. Rejects with an `EngineError` if `@faker-js/faker` is not installed: a cached suite was loaded when it was. */
export async function loadFaker(seed: number, limit: number): Promise<FakerSource> {
  const { faker: shared } = (loadOptional('@faker-js/faker/locale/en') ?? {}) as Partial<Package>
  if (!shared) throw refuse('Generated data needs the package `@faker-js/faker`, which is not installed')
  // The whole process shares the exported instance; one of our own has its own sequence of values.
  const Faker = shared.constructor as typeof import('@faker-js/faker').Faker
  const generators = listGenerators(new Faker({ locale: shared.rawDefinitions, seed }))
  return {
    call(path, passed) {
      const name = path.join('.')
      const generator = generators.get(name)
      if (!generator) {
        const expected = 'Expected a module and method of @faker-js/faker (see https://fakerjs.dev/api)'
        throw refuse(`${expected}, got \`$faker.${name}\``)
      }
      const result = runBounded(limit, () => generate(generator, passed, name))
      if (result) return result.value
      throw refuse(`\`$faker.${name}\` ran longer than ${limit} ms (option \`limits.expression\`)`)
    },
  }
}

/** The methods of a faker, by `module.method`; its internals (`faker`, `fakerCore`) are left out. */
function listGenerators(faker: object): ReadonlyMap<string, Generator> {
  const generators = new Map<string, Generator>()
  for (const [name, module] of Object.entries(faker))
    if (name !== 'fakerCore' && typeof module === 'object' && module !== null)
      for (const [method, generator] of Object.entries(module as Record<string, unknown>))
        if (typeof generator === 'function') generators.set(`${name}.${method}`, generator as Generator)
  return generators
}

function generate(generator: Generator, passed: readonly Json[], name: string): Json {
  try {
    // Dates become strings; what JSON cannot carry is an error.
    return parseJson(stringifyJson(generator(...passed)))
  } catch (error) {
    throw refuse(`\`$faker.${name}\`: ${readMessage(error)}`)
  }
}

function refuse(message: string): EngineError {
  return new EngineError('threw', message)
}
