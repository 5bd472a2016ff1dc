import { afterEach, expect, test, vi } from 'vitest'
import { rerunCommand } from './rerun-command.ts'

afterEach(() => void vi.unstubAllEnvs())

test('the environment is chosen, and odd names are quoted', () => {
  vi.stubEnv('SUITECASE_START', undefined)
  vi.stubEnv('SUITECASE_ENV', 'staging')
  expect(rerunCommand('a.suite.yaml', 3)).toBe('SUITECASE_ENV=staging npx vitest run a.suite.yaml:3')
  vi.stubEnv('SUITECASE_ENV', undefined)
  expect(rerunCommand('a.suite.yaml')).toBe('npx vitest run a.suite.yaml')
  expect(rerunCommand('a.suite.yaml', 3, 'Plan pro [2: user=bob]')).toBe(
    String.raw`npx vitest run a.suite.yaml:3 -t '\[2: '`,
  )
  expect(rerunCommand('-a #1.suite.yaml', 2)).toBe("npx vitest run './-a #1.suite.yaml:2'")
})
