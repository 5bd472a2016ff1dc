/** Makes small changes to the code, one at a time, and tells which of them no test beside it notices: `node tools/mutate.ts 100 src/run src/capture`. Nothing is written. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { tsPlugin } from '@sveltejs/acorn-typescript'
import { Parser, type Node } from 'acorn'
import { startVitest } from 'vitest/node'

type Mutant = { file: string; start: number; end: number; before: string; after: string }

const repository = join(import.meta.dirname, '..')
const PATIENCE = 120_000

/** What stands for each operator. */
const SWAPS: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  true: 'false',
  false: 'true',
}

/** All changes of a file: operators between two values, and the two truths. */
function listMutants(file: string): Mutant[] {
  const text = readFileSync(join(repository, file), 'utf8')
  const mutants: Mutant[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('type' in value && String(value.type).startsWith('TS') && !('expression' in value)) return
    const node = value as Node & Record<string, unknown>
    const [left, right] = [node['left'], node['right']] as (Node | undefined)[]
    const isBinary = ['BinaryExpression', 'LogicalExpression'].includes(node.type) && left && right
    const before = isBinary ? String(node['operator']) : node.type === 'Literal' ? String(node['raw']) : ''
    const after = SWAPS[before]
    if (after !== undefined) {
      const start = isBinary ? text.indexOf(before, left.end) : node.start
      mutants.push({ file, start, end: start + before.length, before, after })
    }
    for (const inner of Object.values(node)) visit(inner)
  }
  visit(Parser.extend(tsPlugin()).parse(text, { ecmaVersion: 'latest', sourceType: 'module' }))
  return mutants
}

/** The same choice each time. */
function sample(mutants: Mutant[], count: number): Mutant[] {
  const rank = ({ file, start }: Mutant): string =>
    createHash('sha1').update(`${file}:${start}`).digest('hex')
  return mutants.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, count)
}

/** Runs the tests of a mutant's room; true when one fails. */
async function tryMutant({ file, start, end, after }: Mutant): Promise<boolean> {
  const room = file.split('/').slice(0, 2).join('/')
  const options = {
    root: repository,
    related: [join(repository, file)],
    run: true,
    bail: 1,
    reporters: [],
    fsModuleCache: false,
  }
  const transform = (code: string, id: string): string | undefined =>
    relative(repository, id) === file ? code.slice(0, start) + after + code.slice(end) : undefined
  const vitest = await startVitest('test', [`${room}/`], options, {
    plugins: [{ name: 'mutant', enforce: 'pre', transform }],
  })
  const modules = vitest.state.getTestModules()
  if (modules.length === 0) console.error(`No test of ${room} uses ${file}.`)
  // The test that ended the run may not be told as failed itself, nor its file as ended.
  const isWhole = modules.every((module) => ['passed', 'skipped'].includes(module.state()))
  const { state } = vitest
  return !isWhole || state.getCountOfFailedTests() > 0 || state.getUnhandledErrors().length > 0
}

/** Tries it in a process of its own, which is ended when it runs on: a change may have made an endless loop. */
async function isCaught(mutant: Mutant): Promise<boolean> {
  const args = [import.meta.filename, '--one', JSON.stringify(mutant)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: true })
  const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), PATIENCE)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  return code !== 0
}

const [first = '', ...rest] = process.argv.slice(2)
if (first === '--one') process.exit((await tryMutant(JSON.parse(rest[0] ?? '') as Mutant)) ? 1 : 0)
const files = rest.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: repository }))
const sources = files.filter((file) => !/\.test\.ts$|\/fixtures\//.test(file)).toSorted()
const mutants = sample(sources.flatMap(listMutants), Number(first))
for (const one of new Map(mutants.map((mutant) => [mutant.file.split('/')[1], mutant])).values())
  if (await isCaught({ ...one, after: one.before }))
    throw new Error(`The tests beside ${one.file} fail as it is.`)
let caught = 0
for (const mutant of mutants) {
  if (await isCaught(mutant)) caught += 1
  else {
    const line = readFileSync(join(repository, mutant.file), 'utf8').slice(0, mutant.start).split('\n').length
    console.log(`${mutant.file}:${line} \`${mutant.before}\` → \`${mutant.after}\``)
  }
}
console.log(`${caught} of ${mutants.length} were noticed.`)
