import type { SyntaxNode } from '../../src/interpolation/syntax/javascript.ts'
import { findDefault, followNode, nameMember, parseModule } from '../contract/parse-module.ts'
import type { ModuleSyntax } from '../contract/parse-module.ts'
import { IMPORT_LINE, PLUGIN_CALL } from './templates.ts'

type Insertion = { at: number; text: string }

/** The text of a Vite or Vitest configuration with the plugin in it; undefined when it is written so that this is not surely right. */
export async function addPlugin(path: string, text: string): Promise<string | undefined> {
  if (/\bsuites\b/.test(text)) return undefined
  const { syntax } = await parseModule(path, text)
  const config = syntax && findConfig(syntax)
  const plugin = config && insertPlugin(config, text)
  if (!plugin) return undefined
  const edited = [plugin, insertImport(syntax, text)]
    .toSorted((a, b) => b.at - a.at)
    .reduce((result, { at, text: added }) => result.slice(0, at) + added + result.slice(at), text)
  return (await parseModule(path, edited)).syntax && edited
}

const WRAPPERS = new Set(['defineConfig', 'defineProject', 'mergeConfig'])

/** The object that a configuration exports: as it is, behind `defineConfig`, or as the last argument of `mergeConfig`. */
function findConfig(syntax: ModuleSyntax): SyntaxNode | undefined {
  let node = findDefault(syntax)
  while (node?.type === 'CallExpression') {
    const { name = '' } = node['callee'] as SyntaxNode & { name?: string }
    const last = (node['arguments'] as SyntaxNode[]).at(-1)
    node = last && WRAPPERS.has(name) ? followNode(last, syntax) : undefined
  }
  return node?.type === 'ObjectExpression' ? node : undefined
}

function insertPlugin(config: SyntaxNode, text: string): Insertion | undefined {
  const members = config['properties'] as SyntaxNode[]
  // What is spread may have plugins of its own, which a second list would replace.
  if (members.some(({ type }) => type !== 'Property')) return undefined
  const plugins = members.find((member) => nameMember(member) === 'plugins')?.['value'] as
    | SyntaxNode
    | undefined
  const [first] = members
  if (!plugins) {
    const at = config.start + 1
    const gap = first ? text.slice(at, first.start) : ' '
    const isBlank = /^\s*$/.test(gap)
    return { at, text: `${isBlank ? gap || ' ' : ' '}plugins: [${PLUGIN_CALL}]${first ? ',' : ' '}` }
  }
  if (plugins.type !== 'ArrayExpression') return undefined
  const last = (plugins['elements'] as (SyntaxNode | null)[]).at(-1)
  if (!last) return { at: plugins.start + 1, text: PLUGIN_CALL }
  const indent = /\n[\t ]*$/.exec(text.slice(0, last.start))?.[0]
  return { at: last.end, text: `,${indent ?? ' '}${PLUGIN_CALL}` }
}

/** Behind the other imports, with their quotes and semicolons. */
function insertImport({ root }: ModuleSyntax, text: string): Insertion {
  const body = root['body'] as SyntaxNode[]
  const last = body.findLast(({ type }) => type === 'ImportDeclaration')
  if (!last) return { at: body[0]?.start ?? 0, text: `${IMPORT_LINE}\n\n` }
  const other = text.slice(last.start, last.end)
  const line = other.includes('"') ? IMPORT_LINE.replaceAll("'", '"') : IMPORT_LINE
  return { at: last.end, text: `\n${line}${other.endsWith(';') ? ';' : ''}` }
}
