import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { measureRun, median } from './measure.ts'
import { writeSuites } from './project.ts'

const STEPS = 200
const ROUNDS = 3

/** Another runner: how it is started on the same requests, written its way. */
type Peer = {
  name: string
  /** Path of its command in the folder of peers. */
  bin: string
  file: string
  text: (url: string) => string
  args: (file: string) => string[]
  /** Finds the number of requests or tests that passed in what it printed. */
  passed: RegExp
}

type Step = { number: number; method: string; path: string; headers: Record<string, string>; body?: object }

const STEPS_OF_ALL = Array.from({ length: STEPS }, (_, index): Step => {
  const number = index + 1
  return number % 2 === 1
    ? {
        number,
        method: 'GET',
        path: `/get?page=${number}`,
        headers: { Accept: 'application/json', 'X-Trace-Id': `trace-${number}` },
      }
    : {
        number,
        method: 'POST',
        path: '/post',
        headers: { 'Content-Type': 'application/json' },
        body: { user: { name: `User ${number}`, active: true }, items: [1, 2, 3] },
      }
})

/** The field that is checked besides the status, as a path of names, and its value. */
function readCheck({ number, body }: Step): [path: string[], value: string] {
  return body ? [['json', 'user', 'name'], `User ${number}`] : [['args', 'page'], String(number)]
}

const PEERS: readonly Peer[] = [
  {
    name: 'Jest, fetch',
    bin: 'jest/bin/jest.js',
    file: 'flow.test.js',
    args: () => ['--rootDir', '.', '--testMatch', '**/flow.test.js'],
    passed: /Tests:\s+(\d+) passed/,
    text: (url) =>
      STEPS_OF_ALL.map((step) => {
        const [path, value] = readCheck(step)
        const { method, headers, body } = step
        const init = JSON.stringify({ method, headers, ...(body && { body: JSON.stringify(body) }) })
        return `test('Step ${step.number}', async () => {
  const response = await fetch('${url}${step.path}', ${init})
  expect(response.status).toBe(200)
  expect((await response.json()).${path.join('.')}).toBe('${value}')
})\n`
      }).join(''),
  },
  {
    name: 'Newman',
    bin: 'newman/bin/newman.js',
    file: 'flow.postman.json',
    args: (file) => ['run', file],
    passed: /requests\s*│\s*(\d+)\s*│\s*0/,
    text: (url) =>
      JSON.stringify({
        info: {
          name: 'Flow',
          schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
        },
        item: STEPS_OF_ALL.map((step) => {
          const [path, value] = readCheck(step)
          const { method, headers, body } = step
          const exec = `pm.test('ok', () => { pm.response.to.have.status(200); pm.expect(pm.response.json().${path.join('.')}).to.eql('${value}') })`
          return {
            name: `Step ${step.number}`,
            event: [{ listen: 'test', script: { exec: [exec] } }],
            request: {
              method,
              url: url + step.path,
              header: Object.entries(headers).map(([key, text]) => ({ key, value: text })),
              ...(body && { body: { mode: 'raw', raw: JSON.stringify(body) } }),
            },
          }
        }),
      }),
  },
  {
    name: 'httpyac',
    bin: 'httpyac/bin/httpyac.js',
    file: 'flow.http',
    args: (file) => ['send', file, '--all', '--output', 'none'],
    passed: /(\d+) succeeded/,
    text: (url) =>
      STEPS_OF_ALL.map((step) => {
        const [path, value] = readCheck(step)
        const lines = Object.entries(step.headers).map(([key, text]) => `${key}: ${text}`)
        const body = step.body ? `\n${JSON.stringify(step.body)}\n` : ''
        return `###
# @name step${step.number}
${step.method} ${url}${step.path}
${lines.join('\n')}
${body}
?? status == 200
?? js response.parsedBody.${path.join('.')} == ${value}
`
      }).join('\n'),
  },
  {
    name: 'Step CI',
    bin: 'stepci/dist/index.js',
    file: 'flow.stepci.yml',
    args: (file) => ['run', file],
    passed: /Steps:.*?(\d+) passed/,
    text: (url) =>
      JSON.stringify({
        version: '1.1',
        tests: {
          flow: {
            steps: STEPS_OF_ALL.map((step) => {
              const [path, value] = readCheck(step)
              const { method, headers, body } = step
              const check = { status: 200, jsonpath: { [`$.${path.join('.')}`]: value } }
              return {
                name: `Step ${step.number}`,
                http: { url: url + step.path, method, headers, ...(body && { json: body }), check },
              }
            }),
          },
        },
      }),
  },
]

/** Runs the same requests through other runners, installed from npm for this alone; those that are not there are named and left out. */
export async function benchPeers({ folder, url }: { folder: string; url: string }): Promise<number> {
  const place = join(folder, 'peers')
  await mkdir(place)
  await writeFile(join(place, 'package.json'), '{ "private": true }')
  console.log(`\npeers  1 × ${STEPS}: other runners, installed now`)
  await promisify(execFile)(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      ...PEERS.map(({ bin }) => bin.split('/')[0] ?? ''),
    ],
    { cwd: place },
  ).catch((error: Error) => console.log(`  not installed: ${error.message.split('\n')[0]}`))
  const own = await writeSuites(join(place, 'suites'), url, { suites: 1, steps: STEPS })
  await report('suitecase', () => measureRun(own))
  const env = { STEPCI_DISABLE_ANALYTICS: '1' }
  for (const { name, bin, file, text, args, passed } of PEERS) {
    const command = join(place, 'node_modules', bin)
    if (!existsSync(command)) {
      console.log(`  ${name.padEnd(14)} not there`)
      continue
    }
    await writeFile(join(place, file), text(url))
    await report(name, () =>
      measureRun({ args: [command, ...args(file)], cwd: place, env, passes: STEPS, passed }),
    )
  }
  return 0
}

async function report(name: string, run: () => Promise<{ wall: number; processor: number }>): Promise<void> {
  try {
    const runs = [await run()]
    while (runs.length < ROUNDS) runs.push(await run())
    const [wall, processor] = (['wall', 'processor'] as const).map((figure) =>
      median(runs.map((one) => one[figure])),
    )
    console.log(
      `  ${name.padEnd(14)}${wall?.toFixed(2).padStart(7)} s wall${processor?.toFixed(2).padStart(7)} s cpu`,
    )
  } catch (error) {
    console.log(`  ${name.padEnd(14)} failed: ${(error as Error).message.slice(0, 2000)}`)
  }
}
