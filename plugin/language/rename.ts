import { basename } from 'node:path'
import type { TextEdit } from 'vscode-languageserver/node'
import { stringifyJson } from '../../src/json.ts'
import type { ResolvedOptions } from '../contract/options.ts'
import type { SuiteFiles } from '../main/suites/suite-files.ts'
import { toRange, type Document } from './document.ts'
import { readNames, type PlacedName } from './read-names.ts'
import { listShared } from './shared-names.ts'

/** Names that already mean something in every suite. */
const GIVEN = /^(?:variables|index|base_url|echo_url|app_url)$/

/** The edits that rename a variable or capture. Rejects with the reason if that may affect anything else. */
export async function renameIn(
  document: Document,
  { name, newName }: { name: string; newName: string },
  { options, files }: { options: ResolvedOptions; files: SuiteFiles },
): Promise<TextEdit[]> {
  const { text, path, names } = document
  if (!/^[A-Za-z_]\w*$/.test(newName) || GIVEN.test(newName))
    throw new Error(`\`${newName}\` cannot be the name of a variable.`)
  if (!names.some((one) => one.isDeclared && one.name === name))
    throw new Error(`\`${name}\` is not a variable or capture of this suite.`)
  if (options.compat)
    throw new Error('Renaming is not supported in suites of another engine: rename it by hand.')
  const shared = [
    { shown: 'suites()', names: readOptions(options) },
    ...(await listShared(files, document)).map(({ path: at, names: read }) => ({
      shown: files.show(at),
      names: read,
    })),
  ]
  if ([document, ...shared].some((each) => holds(each, newName)))
    throw new Error(`\`${newName}\` is already used in this suite.`)
  const user = shared.find((each) => holds(each, name))?.shown ?? (await findReader(document, name, files))
  if (user !== undefined) throw new Error(`\`${user}\` may use \`${name}\` of this suite: rename it by hand.`)
  // A set, since each alias of an anchor repeats its names; of ends, since `variables.` may stand before one.
  const ends = new Set(names.filter((one) => one.name === name).map(({ range }) => range[1]))
  const places = Array.from(ends, (end) => [end - name.length, end] as const)
  const all = names.find((one) => one.name === 'variables' && one.members.length === 0)
  const odd = all?.range ?? places.find((place) => text.slice(...place) !== name || isShorthand(text, place))
  if (odd)
    throw new Error(
      `\`${name}\` on line ${toRange(text, odd).start.line + 1} cannot be renamed safely: rename it by hand.`,
    )
  const renamed = places
    .toSorted(([a], [b]) => b - a)
    .reduce((rest, [start, end]) => rest.slice(0, start) + newName + rest.slice(end), text)
  const after = readNames({ path, text: renamed }, files.root) ?? []
  const other = names.find((one, at) => after[at]?.name !== (one.name === name ? newName : one.name))
  if (other)
    throw new Error(
      `\`${newName}\` means something else on line ${toRange(text, other.range).start.line + 1}.`,
    )
  return places.map((range) => ({ range: toRange(text, range), newText: newName }))
}

function holds({ names }: Pick<Document, 'names'>, name: string): boolean {
  return names.some((one) => one.name === name)
}

/** The names in the plugin's options that apply to all suites. */
function readOptions({ variables, templates, defaults, redact }: ResolvedOptions): readonly PlacedName[] {
  const names = (redact || []).filter((one) => typeof one === 'string')
  const settings = { variables: { ...variables, ...templates }, defaults: defaults ?? {}, redact: names }
  return readNames({ path: '', text: stringifyJson(settings) }, '') ?? []
}

/** Another suite that may read a variable of this one, as `auth.token`, or give it a value in a call. */
async function findReader({ path }: Document, name: string, files: SuiteFiles): Promise<string | undefined> {
  const { plan } = await files.load(path).catch(() => {
    throw new Error('This suite has errors: correct them first.')
  })
  // A `-` beside the name may be a subtraction, and `auth[…]` may read any variable.
  const word = new RegExp(
    String.raw`(?<![\p{ID_Continue}$])${name.replaceAll(/\W/g, '.')}(?![\p{ID_Continue}$])`,
    'u',
  )
  const own = basename(path)
  const reader = [...(await files.index())].find(([file, { mentions, files: named }]) => {
    const isReader = mentions.includes(plan.nodeId) || named.some((one) => basename(one) === own)
    const text = isReader && file !== path ? files.readText(file) : ''
    return word.test(text) || text.includes(`${plan.nodeId}[`)
  })
  return reader && files.show(reader[0])
}

/** True for a name that may be a key too, as in `{name}`: among commas and braces, not in `(`, `[`, `{{`. */
function isShorthand(text: string, [start, end]: readonly [number, number]): boolean {
  const before = text.slice(0, start)
  const isApart = /[{,]\s*$/.test(before) && /^\s*[,}]/.test(text.slice(end))
  return isApart && /(?:[)\]}]|(?<![{$])\{)[^()[\]{}]*$/.test(before)
}
