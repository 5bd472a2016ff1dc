import { expect, test } from 'vitest'
import { startLoggedEcho } from './fixtures/logged-echo.ts'
import { createSuiteProject } from './fixtures/suite-project.ts'

/** A suite that exports `token`, in one step. */
const producer = (url: string): string => `
suite_name: Auth
node_id: auth
base_url: ${url}
exports: [token]
steps:
  - name: Log in
    request: { method: POST, url: /anything/login, body: { token: secret-1 } }
    assert: { status_code: 200 }
    capture: { token: body.json.token }
`

/** A suite of three steps whose last reads the token. */
const consumer = (url: string): string => `
suite_name: Profile
node_id: profile
base_url: ${url}
steps:
  - name: Ping
    request: { url: /anything/ping }
  - name: Ping again
    request: { url: /anything/ping }
  - name: Fetch profile
    request: { url: /anything/profile, params: { t: '{{auth.token}}' } }
    assert: { body.args.t: secret-1 }
`

const constellations = [1, 2, 4].flatMap((workers) =>
  [
    ['a', 'b'],
    ['b', 'a'],
  ].map(([first, second]) => ({ workers, first, second })),
)

test.each(constellations)(
  'the producer runs once with $workers workers when it is called $first and the consumer $second',
  async ({ workers, first, second }) => {
    await using echo = await startLoggedEcho()
    await using project = await createSuiteProject(
      { [`${first}.suite.yaml`]: producer(echo.url), [`${second}.suite.yaml`]: consumer(echo.url) },
      { suites: `{ maxWorkers: ${workers} }` },
    )
    const { code, output } = await project.run()
    expect(output).toContain('4 passed')
    expect(code).toBe(0)
    expect(echo.count('/anything/login')).toBe(1)
  },
)
