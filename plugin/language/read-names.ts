import { isJsonObject, type JsonObject } from '../../src/json.ts'
import type { Place, Range, SourceFile } from '../../src/source.ts'
import { createContext } from '../../src/suite/load-context.ts'
import { collectTemplates, isStepList } from '../../src/suite/reads/collect-templates.ts'
import { findNode, type SourceNode, type ValuePath } from '../../src/suite/source-tree.ts'
import { readYaml } from '../../src/suite/yaml/read-yaml.ts'

/** A name, where it is, and what is read below it. */
export type PlacedName = { name: string; range: Place; members: readonly (string | number)[] }

/** The names of a suite: where variables and captures get their values, and where they are read or exported. */
export type SuiteNames = { declared: PlacedName[]; read: PlacedName[] }

/** Reads the names of a suite file; undefined for a text that is not a map, as while it is being written. */
export function readNames(source: SourceFile, folder: string): SuiteNames | undefined {
  const reading = readYaml(source.text)
  if (!isJsonObject(reading.value)) return undefined
  const context = createContext({ source, reading, options: { folder } })
  const { references } = collectTemplates(reading.value, context)
  const exported = [...(reading.tree.children?.get('exports')?.children?.values() ?? [])]
  return {
    declared: listDeclared(reading.tree, reading.value, source.text),
    read: [
      ...references
        .filter(({ kind }) => kind !== 'env' && kind !== 'faker')
        .map(({ root, members, range }) => ({ name: root, members, range })),
      ...exported.map(({ range }) => placeText(range, source.text)),
    ],
  }
}

function listDeclared(tree: SourceNode, value: JsonObject, text: string): PlacedName[] {
  const declared: PlacedName[] = []
  const visit = (node: SourceNode, path: ValuePath): void => {
    for (const [key, child] of node.children ?? []) {
      if (isDeclaration(path) && child.key) declared.push(placeText(child.key, text))
      else if (key === 'as' && path.at(-1) === 'iterate') declared.push(placeText(child.range, text))
      visit(child, [...path, key])
    }
  }
  for (const key of Object.keys(value))
    if (key === 'variables' || isStepList(key)) visit(findNode(tree, [key]), [key])
  return declared
}

/** True for the map of variables, and the captures and variables of steps and their branches. */
function isDeclaration(path: ValuePath): boolean {
  if (path.length === 1) return path[0] === 'variables'
  const place = path.slice(2).join('/')
  return /^(?:scenarios\/\d+\/(?:then\/|else\/)?)?(?:capture|variables)$/.test(place)
}

/** A plain or quoted scalar, without its quotes. */
function placeText([start, end]: Place, text: string): PlacedName {
  const written = text.slice(start, end).trimEnd()
  const quoted = /^(["']).*\1$/s.test(written) ? 1 : 0
  const range: Range = [start + quoted, start + written.length - quoted]
  return { name: text.slice(...range), members: [], range }
}
