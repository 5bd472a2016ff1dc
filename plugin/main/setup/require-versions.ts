import { refuse } from '../../contract/refuse.ts'

/** The oldest releases that have what suites need. */
export const LEAST = { node: [22, 19], vitest: [5, 1] } as const

/** Throws if Node lacks what suites need, and in Bun and Deno, where mocks would let requests through. */
export function requireNode({ node = '', bun, deno }: NodeJS.Dict<string> = process.versions): void {
  const other = bun ? `Bun ${bun}` : deno && `Deno ${deno}`
  if (other === undefined && !isOlder(node, LEAST.node)) return
  const advice = other ? 'Start Vitest with Node: `npx vitest`.' : 'Install a newer Node.'
  refuse(`suitecase: needs Node ${LEAST.node.join('.')} or newer, but this is ${other ?? node}. ${advice}`)
}

/** Throws if Vitest lacks what suites need. */
export function requireVitest(version: string): void {
  if (isOlder(version, LEAST.vitest))
    refuse(
      `suitecase: needs Vitest ${LEAST.vitest.join('.')} or newer, but this is ${version}. Run \`npm install --save-dev vitest@${LEAST.vitest[0]}\`, with all your \`@vitest/…\` packages.`,
    )
}

/** Whether a version is older than a release. */
export function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [has = 0, hasMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return has < major || (has === major && hasMinor < minor)
}
