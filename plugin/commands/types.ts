import { readFile } from 'node:fs/promises'
import { operatorNames, operators, operatorTable } from '../../src/assertion/operators/operators.ts'
import { listSchemes, builtInSchemeNames } from '../../src/request/auth/schemes.ts'
import { relativePath } from '../../src/resolve-path.ts'
import { readExtension } from '../contract/read-extension.ts'
import { makeChanges, planChange, type Change } from './change-files.ts'
import { openSuites } from './open-suites.ts'
import { editorSetting } from './templates.ts'

/** Name of the schema that is written into the project itself. */
const OWN_SCHEMA = 'suitecase.schema.json'

type Node = { properties?: Record<string, Node>; oneOf?: object[]; examples?: unknown; description?: string }

/** Writes a JSON Schema and a declaration of what the option `extend` adds to suites. Resolves to what was done. Rejects without `extend`. */
export async function writeTypes(folder: string, config?: string): Promise<string> {
  const { projects, close } = await openSuites(config)
  try {
    const extend = projects.map(({ options }) => options.extend).find((path) => path !== undefined)
    if (extend === undefined)
      throw new Error(
        'The option `extend` of suites() is not set, so the schema of the package is already complete.',
      )
    const shown = relativePath(folder, extend)
    await readExtension(extend, shown)
    const schema = await writeSchema(shown)
    const changes = [
      planText(folder, OWN_SCHEMA, schema),
      ...(/\.[cm]?ts$/.test(extend) ? [planText(folder, 'suitecase.d.ts', declare(shown))] : []),
    ]
    const setting = editorSetting(`./${OWN_SCHEMA}`)
    return `${makeChanges(folder, changes)}\n\nEditors find it with this in .vscode/settings.json: ${setting}\n`
  } finally {
    await close()
  }
}

function planText(folder: string, name: string, text: string): Change {
  return planChange(folder, name, (before) => (before === text ? { why: 'it is up to date' } : { text }))
}

async function writeSchema(extend: string): Promise<string> {
  const packaged = new URL('../../schema.json', import.meta.url)
  const schema = JSON.parse(await readFile(packaged, 'utf8')) as Node
  const checks = Object.keys(operators).filter((name) => !operatorNames.includes(name))
  const schemes = listSchemes().filter((name) => !builtInSchemeNames.includes(name))
  visit(schema, ({ properties, oneOf }) => {
    if (properties?.['snapshot'])
      for (const name of checks) properties[name] = describeOperator(name, properties)
    if (!properties?.['bearer']) return
    for (const name of schemes) properties[name] = { description: `A scheme of ${extend}.` }
    oneOf?.push(...schemes.map((name) => ({ required: [name] })))
  })
  return `${JSON.stringify(schema, null, 2)}\n`
}

/** The schema of an added operator: that of a built-in one with the same kind of operand. */
function describeOperator(name: string, known: Record<string, Node>): Node {
  const own = operators[name]
  const twin = Object.entries(operatorTable).find(([, { operand }]) => operand === own?.operand)?.[0]
  const { examples: _examples, ...node } = known[twin ?? 'equals'] ?? {}
  return { ...node, description: own?.about ?? '' }
}

function visit(node: Node, change: (node: Node) => void): void {
  change(node)
  for (const child of Object.values(node))
    if (typeof child === 'object' && child !== null) visit(child, change)
}

function declare(extend: string): string {
  return `// Written by \`npx suitecase types\`: suites in TypeScript know the operators and \`auth\` schemes of the option \`extend\`.
import type extension from './${extend}'

declare module 'suitecase' {
  interface Register {
    extension: typeof extension
  }
}
`
}
