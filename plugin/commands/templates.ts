/** How a configuration imports the plugin. */
export const IMPORT_LINE = "import { suites } from 'suitecase/plugin'"
/** The same in a CommonJS file. */
export const REQUIRE_LINE = "const { suites } = require('suitecase/plugin')"

/** How a configuration uses the plugin: a misspelt variable fails a step. */
export const PLUGIN_CALL = "suites({ unresolved: 'error' })"

/** A new Vitest configuration. */
export const CONFIG = `${IMPORT_LINE}
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [${PLUGIN_CALL}] })
`

/** What makes VS Code complete suite files, by the schema at a path. */
export function editorSetting(schema: string): string {
  return `"yaml.schemas": { "${schema}": ["*.suite.yaml", "*.suite.yml"] }`
}

/** A first suite, which passes. */
export const SUITE = `# yaml-language-server: $schema=../node_modules/suitecase/schema.json
suite_name: Example
base_url: '{{echo_url}}' # the echo server that comes with suitecase; put your own address here

variables:
  user: alice

steps:
  - name: Log in
    request:
      method: POST
      url: /post
      body: { username: '{{user}}', token: secret-1 }
    assert:
      status_code: 200
      body.json.username: '{{user}}'
    capture:
      token: body.json.token

  - name: Fetch the profile
    request:
      url: /get
      auth: { bearer: '{{token}}' }
    assert:
      status_code: 200
      body.headers.Authorization: { contains: Bearer }
`

/** What AGENTS.md says of suites. */
export const AGENTS_PARAGRAPH = `## HTTP tests

Files named \`*.suite.yaml\` are HTTP tests of [suitecase](https://www.npmjs.com/package/suitecase); Vitest runs them.
Before you write, run or repair one, read \`.agents/skills/suitecase/SKILL.md\`. Never weaken, skip or remove a check to make
a failing step pass: repair the application, or say that the expectation itself is wrong and why.
`

/** How a coding agent works with suites. */
export const SKILL = `---
name: suitecase
description: Write, run and repair HTTP test suites in YAML (*.suite.yaml) with suitecase and Vitest. Use it when asked to test an HTTP API, to add or change a suite file, or when a step of a suite fails.
---

# HTTP tests with suitecase

A suite is a file \`*.suite.yaml\`. Its steps send requests in order. Each step is one Vitest test.

## Write

\`\`\`yaml
suite_name: Orders
base_url: '{{app_url}}' # or an address

variables:
  user: ada

steps:
  - name: Log in
    request: { method: POST, url: /sessions, body: { user: '{{user}}' } }
    assert:
      status_code: 201
      body.token: { type: string, minLength: 8 }
    capture:
      token: body.token

  - name: Read the orders
    request: { url: /orders, auth: { bearer: '{{token}}' } }
    assert:
      status_code: 200
      body.items: { minLength: 1, each: { id: { type: string } } }
\`\`\`

- Every step has an \`assert\`: the status code, and the values in the body that matter.
- \`capture\` takes values of an answer; later steps read them as \`{{name}}\`. Quote every value that begins with \`{{\`.
- Another suite's exports are read as \`{{node_id.name}}\`. A login belongs into one suite with \`exports: [token]\`.
- No passwords in the file: \`{{$env.NAME}}\` reads them from the environment and hides them in all output.
- All keys and operators are in \`node_modules/suitecase/schema.json\`, and explained with examples in \`node_modules/suitecase/docs\`.
  Do not guess: an unknown key is an error.

## Check and run

1. \`npx suitecase check --json\` finds all mistakes in suite files. It sends nothing. Repair them first; each has a line and mostly a hint.
2. \`npx vitest run tests/orders.suite.yaml\` runs one suite, \`npx vitest run tests/orders.suite.yaml:18\` one step and what it needs.
3. \`npx vitest run\` runs everything. Do this before you say that you are done.

## Repair

1. Read \`.vitest/suitecase/failures.json\`. Each failure has \`file\`, \`line\`, \`step\`, \`message\`, its \`checks\` with \`expected\` and
   \`received\`, the \`request\`, the beginning of the \`response\`, and \`command\`, which runs only this step.
2. Decide which is wrong, the application or the expectation. Look at the application's code and at what it is meant to do.
3. If the application is wrong, repair the application. If the expectation is wrong, change it to what is right, and say why.
4. Run the \`command\` again, then everything.

**Never weaken a check so that it passes**: do not remove it, replace a value by \`type\` or \`exists\`, widen a range, add \`skip\`,
\`continue_on_failure\` or \`retry\`, or turn \`unresolved\` to \`literal\`. A check that can no longer fail is worse than one that fails.
If you cannot tell which side is wrong, leave the step failing and say so.
`
