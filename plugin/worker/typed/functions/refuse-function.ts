import { types } from 'node:util'
import { formatPath, type ValuePath } from '../../../../src/suite/source-tree.ts'
import { findReads } from './find-reads.ts'
import type { FunctionPlace } from './function-places.ts'
import type { LiftedFunction } from './lift-functions.ts'

/** Says why a function cannot be used at its place; undefined when it can. */
export function refuseFunction(
  call: LiftedFunction['call'],
  path: ValuePath,
  place: FunctionPlace | undefined,
): { message: string; hint: string } | undefined {
  const field = formatPath(path) || 'the suite'
  if (!place)
    return {
      message: `A function is not allowed at \`${field}\`.`,
      hint: path.includes('mocks')
        ? 'For an answer that is computed use an MSW handler such as `http.get(url, resolver)`.'
        : 'Parts of a request, conditions, captures and expected values can be functions.',
    }
  if (types.isAsyncFunction(call) || types.isGeneratorFunction(call))
    return {
      message: `The function at \`${field}\` is ${types.isAsyncFunction(call) ? 'asynchronous' : 'a generator'}.`,
      hint: 'Functions of a suite give their value at once: get what has to be waited for in a step of its own.',
    }
  // A step runs only after those that give what its defaults read.
  if (path[0] === 'defaults' && !findReads(call))
    return {
      message: `The text of the function at \`${field}\` does not tell which variables it reads.`,
      hint: 'Name them in it, as in `({ variables }) => variables.token`.',
    }
  return undefined
}
