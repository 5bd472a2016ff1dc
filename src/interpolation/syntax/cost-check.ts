import { documentedGlobals } from '../sandbox/documented-globals.ts'
import { estimateCost, SCALAR, type ReadSize } from './cost.ts'
import type { SyntaxNode } from './javascript.ts'

/** Tells whether an expression stays within a number of steps; remembers up to which size of its data it surely does. */
export function createCostCheck(root: SyntaxNode): (readSize: ReadSize, most: number) => boolean {
  let places: Parameters<ReadSize>[] | undefined
  let known = { most: 0, size: 0 }
  return (readSize, most) => {
    places ??= listReads(root)
    if (known.most !== most) {
      const isWithin = (size: number): boolean =>
        estimateCost(root, (name) => boundRead(name, size)).steps <= most
      known = { most, size: trialSizes.find(isWithin) ?? 0 }
    }
    if (known.size === 0) return false
    if (places.every((place) => readSize(...place) <= boundRead(place[0], known.size))) return true
    return estimateCost(root, readSize).steps <= most
  }
}

/** `Math` and the like are data only where a variable has the name. */
function boundRead(name: string, size: number): number {
  return documentedGlobals.has(name) ? SCALAR : size
}

const trialSizes = [1e7, 1e6, 1e5, 1e4, 1e3, 1e2, SCALAR]

function listReads(root: SyntaxNode): Parameters<ReadSize>[] {
  const reads = new Map<string, Parameters<ReadSize>>()
  estimateCost(root, (...place) => {
    reads.set(JSON.stringify(place), place)
    return SCALAR
  })
  return [...reads.values()]
}
