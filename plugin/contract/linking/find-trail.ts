/** The shortest way from one node of a graph to another, both included; undefined when there is none. */
export async function findTrail<Node>(
  from: Node,
  to: Node,
  listNext: (node: Node) => Promise<Iterable<Node>>,
): Promise<Node[] | undefined> {
  const cameFrom = new Map<Node, Node | undefined>([[from, undefined]])
  // A map is walked while it grows: breadth first.
  for (const node of cameFrom.keys()) {
    if (node === to) return readTrail(cameFrom, to)
    for (const next of await listNext(node)) if (!cameFrom.has(next)) cameFrom.set(next, node)
  }
  return undefined
}

function readTrail<Node>(cameFrom: ReadonlyMap<Node, Node | undefined>, to: Node): Node[] {
  const trail: Node[] = []
  for (let node: Node | undefined = to; node !== undefined; node = cameFrom.get(node)) trail.unshift(node)
  return trail
}
