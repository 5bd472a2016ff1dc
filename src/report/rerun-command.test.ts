import { afterEach, expect, test, vi } from 'vitest'
import { rerunCommand } from './rerun-command.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test.each([
  ['linux', '/bin/bash', 'SUITECASE_ENV=staging npx vitest run a.suite.yaml:3'],
  ['linux', undefined, 'SUITECASE_ENV=staging npx vitest run a.suite.yaml:3'],
  ['win32', undefined, "$env:SUITECASE_ENV = 'staging'; npx vitest run a.suite.yaml:3"],
  ['win32', '/usr/bin/bash', 'SUITECASE_ENV=staging npx vitest run a.suite.yaml:3'],
] as const)('the environment is chosen as the shell wants it: %s, SHELL=%s', (platform, shell, command) => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform)
  vi.stubEnv('SHELL', shell)
  vi.stubEnv('SUITECASE_START', undefined)
  vi.stubEnv('SUITECASE_ENV', 'staging')
  expect(rerunCommand('a.suite.yaml', 3)).toBe(command)
  vi.stubEnv('SUITECASE_ENV', undefined)
  expect(rerunCommand('a.suite.yaml')).toBe('npx vitest run a.suite.yaml')
  expect(rerunCommand('a.suite.yaml', 3, 'Plan pro [2: user=bob]')).toBe(
    String.raw`npx vitest run a.suite.yaml:3 -t '\[2: '`,
  )
  expect(rerunCommand('-a #1.suite.yaml', 2)).toBe("npx vitest run './-a #1.suite.yaml:2'")
})
