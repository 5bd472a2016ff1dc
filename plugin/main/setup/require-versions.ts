import { refuse } from '../../contract/refuse.ts'

/** The oldest releases that have what suites need. */
export const LEAST = { node: [22, 12], vitest: [5, 1] } as const

/** Throws if Node lacks what suites need. */
export function requireNode(version: string = process.versions.node): void {
  if (isOlder(version, LEAST.node))
    refuse(
      `suitecase: needs Node ${LEAST.node.join('.')} or newer, and this is ${version}. Install a newer Node.`,
    )
}

/** Throws if Vitest lacks what suites need. */
export function requireVitest(version: string): void {
  if (isOlder(version, LEAST.vitest))
    refuse(
      `suitecase: needs Vitest ${LEAST.vitest.join('.')} or newer, and this is ${version}. Run \`npm install --save-dev vitest@${LEAST.vitest[0]}\`, with all your \`@vitest/…\` packages.`,
    )
}

/** Whether a version is older than a release. */
export function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [has = 0, hasMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return has < major || (has === major && hasMinor < minor)
}
