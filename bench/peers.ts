import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { measureRun, median, type Command, type Figures } from './measure.ts'
import { writeFiles } from './project.ts'
import { listCalls, type Call } from './workload-texts.ts'

const STEPS = 200
const ROUNDS = 3

/** Another runner, and how it is started on the same requests, written in its own format. */
type Peer = {
  name: string
  /** Path of its command in the folder of peers. */
  bin: string
  file: string
  text: (url: string) => string
  args: (file: string) => string[]
  /** Finds the number of passed requests or tests in its output. */
  passed: RegExp
}

/** The steps of the usual workload without captures. Each has the check of its status, and the first of its other checks. */
const CALLS = (JSON.parse(JSON.stringify(listCalls(STEPS)).replaceAll('{{token}}', 'token')) as Call[]).map(
  (call) => {
    const [[field, value] = ['', '']] = Object.entries(call.checks)
    return Object.assign(call, { field, value: String(value) })
  },
)

const PEERS: readonly Peer[] = [
  {
    name: 'Jest, fetch',
    bin: 'jest/bin/jest.js',
    file: 'flow.test.js',
    args: () => ['--rootDir', '.', '--testMatch', '**/flow.test.js'],
    passed: /Tests:\s+(\d+) passed/,
    text: (url) =>
      CALLS.map(({ name, method, path, headers, body, field, value }) => {
        const init = JSON.stringify({ method, headers, ...(body && { body: JSON.stringify(body) }) })
        return `test('${name}', async () => {
  const response = await fetch('${url}${path}', ${init})
  expect(response.status).toBe(200)
  const body = await response.json()
  expect(body.${field}).toBe('${value}')
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
        item: CALLS.map(({ name, method, path, headers, body, field, value }) => {
          const exec = `pm.test('ok', () => { pm.response.to.have.status(200); pm.expect(pm.response.json().${field}).to.eql('${value}') })`
          return {
            name,
            event: [{ listen: 'test', script: { exec: [exec] } }],
            request: {
              method,
              url: url + path,
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
      CALLS.map(({ name, method, path, headers, body, field, value }) => {
        const lines = Object.entries(headers).map(([key, text]) => `${key}: ${text}`)
        return `###
# @name ${name.replaceAll(' ', '')}
${method} ${url}${path}
${lines.join('\n')}
${body ? `\n${JSON.stringify(body)}\n` : ''}
?? status == 200
?? js response.parsedBody.${field} == ${value}
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
            steps: CALLS.map(({ name, method, path, headers, body, field, value }) => {
              const check = { status: 200, jsonpath: { [`$.${field}`]: value } }
              return { name, http: { url: url + path, method, headers, ...(body && { json: body }), check } }
            }),
          },
        },
      }),
  },
]

/** Runs the same requests through other runners, which are installed from npm for this. Those that fail or are missing are listed. */
export async function benchPeers({ folder, url }: { folder: string; url: string }): Promise<number> {
  const place = join(folder, 'peers')
  await mkdir(place)
  await writeFile(join(place, 'package.json'), '{ "private": true }')
  console.log(`\npeers  1 × ${STEPS}: other runners, installed now`)
  const packages = PEERS.map(({ bin }) => bin.split('/')[0] ?? '')
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]
  await promisify(execFile)('npm', install, { cwd: place }).catch((error: Error) =>
    console.log(`  not installed: ${error.message.split('\n')[0]}`),
  )
  await report('suitecase', await writeFiles(join(place, 'suites'), url, { suites: 1, steps: STEPS }))
  const env = { STEPCI_DISABLE_ANALYTICS: '1' }
  for (const { name, bin, file, text, args, passed } of PEERS) {
    await writeFile(join(place, file), text(url))
    const command = [join(place, 'node_modules', bin), ...args(file)]
    await report(name, { args: command, cwd: place, env, passes: STEPS, passed })
  }
  return 0
}

async function report(name: string, command: Command): Promise<void> {
  const runs: Figures[] = []
  try {
    while (runs.length < ROUNDS) runs.push(await measureRun(command))
  } catch (error) {
    console.log(`  ${name.padEnd(14)} failed: ${(error as Error).message.slice(0, 2000)}`)
    return
  }
  const show = (figure: keyof Figures): string =>
    median(runs.map((one) => one[figure]))
      .toFixed(2)
      .padStart(7)
  console.log(`  ${name.padEnd(14)}${show('wall')} s wall${show('processor')} s cpu`)
}
