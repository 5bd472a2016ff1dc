import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { measureRun, median, type Command, type Figures, type Place } from './measure.ts'
import { writeFiles } from './project.ts'
import { usual, type Call } from './texts.ts'

const STEPS = 200
const ROUNDS = 3

type Ask = ReturnType<typeof listAsks>[number]

/** The steps of the usual workload, without captures, and with the status and the first check of each. */
function listAsks(base: string) {
  const calls = JSON.parse(JSON.stringify(usual(STEPS)).replaceAll('{{token}}', 'token')) as Call[]
  return calls.map(({ name, method, path, headers = {}, body, checks = {} }) => {
    const [[field, value] = ['', '']] = Object.entries(checks)
    return {
      name,
      method,
      url: base + path,
      headers,
      data: JSON.stringify(body),
      field,
      value: String(value),
    }
  })
}

/** Another runner: how to write the same requests in its format, and how to start it. */
type Peer = {
  /** Path of its command in the folder of packages. */
  bin: string
  file: string
  args: (file: string) => string[]
  /** Finds the number of passed requests or tests in its output. */
  passed: RegExp
  write: (asks: readonly Ask[]) => string
}

const PEERS: Readonly<Record<string, Peer>> = {
  'Jest, fetch': {
    bin: 'jest/bin/jest.js',
    file: 'flow.test.js',
    args: () => ['--rootDir', '.', '--testMatch', '**/flow.test.js'],
    passed: /Tests:\s+(\d+) passed/,
    write: (asks) => asks.map(writeJestTest).join('\n'),
  },
  Newman: {
    bin: 'newman/bin/newman.js',
    file: 'flow.postman.json',
    args: (file) => ['run', file],
    passed: /requests\s*│\s*(\d+)\s*│\s*0/,
    write(asks) {
      const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
      return JSON.stringify({ info: { name: 'Flow', schema }, item: asks.map(describePostmanItem) })
    },
  },
  httpyac: {
    bin: 'httpyac/bin/httpyac.js',
    file: 'flow.http',
    args: (file) => ['send', file, '--all', '--output', 'none'],
    passed: /(\d+) succeeded/,
    write: (asks) => asks.map(writeHttpRequest).join('\n'),
  },
  'Step CI': {
    bin: 'stepci/dist/index.js',
    file: 'flow.stepci.yml',
    args: (file) => ['run', file],
    passed: /Steps:.*?(\d+) passed/,
    write: (asks) => JSON.stringify({ version: '1.1', tests: { flow: { steps: asks.map(describeStep) } } }),
  },
}

function writeJestTest({ name, method, url, headers, data, field, value }: Ask): string {
  return `test('${name}', async () => {
  const response = await fetch('${url}', ${JSON.stringify({ method, headers, body: data })})
  expect(response.status).toBe(200)
  const body = await response.json()
  expect(body.${field}).toBe('${value}')
})
`
}

function describePostmanItem({ name, method, url, headers, data, field, value }: Ask): object {
  const exec = `pm.test('ok', () => { pm.response.to.have.status(200); pm.expect(pm.response.json().${field}).to.eql('${value}') })`
  const header = Object.entries(headers).map(([key, text]) => ({ key, value: text }))
  const request = { method, url, header, ...(data && { body: { mode: 'raw', raw: data } }) }
  return { name, event: [{ listen: 'test', script: { exec: [exec] } }], request }
}

function writeHttpRequest({ name, method, url, headers, data, field, value }: Ask): string {
  const lines = Object.entries(headers).map(([key, text]) => `${key}: ${text}`)
  return `###
# @name ${name.replaceAll(' ', '')}
${method} ${url}
${lines.join('\n')}
${data ? `\n${data}\n` : ''}
?? status == 200
?? js response.parsedBody.${field} == ${value}
`
}

function describeStep({ name, method, url, headers, data, field, value }: Ask): object {
  const check = { status: 200, jsonpath: { [`$.${field}`]: value } }
  return { name, http: { url, method, headers, ...(data && { body: data }), check } }
}

/** Installs other runners from npm and sends the same requests with them. Prints which of them fail. */
export async function benchPeers({ folder, url }: Place): Promise<number> {
  const place = join(folder, 'peers')
  await mkdir(place)
  await writeFile(join(place, 'package.json'), '{ "private": true }')
  console.log(`\npeers  1 × ${STEPS}: other runners, installed now`)
  const packages = Object.values(PEERS).map(({ bin }) => bin.replace(/\/.*/, ''))
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]
  await promisify(execFile)('npm', install, { cwd: place }).catch((error: Error) =>
    console.log(`  not installed: ${error.message.split('\n')[0]}`),
  )
  await report('suitecase', await writeFiles(join(place, 'suites'), url, { suites: 1, steps: STEPS }))
  const env = { STEPCI_DISABLE_ANALYTICS: '1' }
  for (const [name, { bin, file, args, passed, write }] of Object.entries(PEERS)) {
    await writeFile(join(place, file), write(listAsks(url)))
    const command = [join(place, 'node_modules', bin), ...args(file)]
    await report(name, { args: command, cwd: place, env, passes: STEPS, passed })
  }
  return 0
}

async function report(name: string, command: Command): Promise<void> {
  try {
    const runs: Figures[] = []
    while (runs.length < ROUNDS) runs.push(await measureRun(command))
    const [wall, processor] = (['wall', 'processor'] as const).map((figure) =>
      median(runs.map((run) => run[figure]))
        .toFixed(2)
        .padStart(7),
    )
    console.log(`  ${name.padEnd(14)}${wall} s wall${processor} s cpu`)
  } catch (error) {
    console.log(`  ${name.padEnd(14)} failed: ${(error as Error).message.slice(0, 2000)}`)
  }
}
