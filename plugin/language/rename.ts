import { basename } from 'node:path'
import type { TextEdit } from 'vscode-languageserver/node'
import { stringifyJson } from '../../src/json.ts'
import type { ResolvedOptions } from '../contract/options.ts'
import type { SuiteFiles } from '../main/suites/suite-files.ts'
import { toRange, type Document } from './document.ts'
import { readNames } from './read-names.ts'
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
    { shown: 'suites()', text: writeOptions(options) },
    ...(await listShared(files, document)).map((file) => ({ shown: files.show(file.path), text: file.text })),
  ]
  if (names.some((one) => one.name === newName) || shared.some((each) => hasWord(each.text, newName)))
    throw new Error(`\`${newName}\` is already used in this suite.`)
  const user = [...shared, ...(await listReaders(document, files))].find((each) => hasWord(each.text, name))
  if (user) throw new Error(`\`${user.shown}\` may use \`${name}\` of this suite: rename it by hand.`)
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

function hasWord(text: string, word: string): boolean {
  const [before, after] = [String.raw`(?<![\p{ID_Continue}$])`, String.raw`(?![\p{ID_Continue}$])`]
  return new RegExp(`${before}${word.replaceAll(/\W/g, '.')}${after}`, 'u').test(text)
}

/** The plugin's options that apply to all suites, as a text. */
function writeOptions({ variables, templates, defaults, redact }: ResolvedOptions): string {
  const names = (redact || []).filter((one) => typeof one === 'string')
  return stringifyJson([variables, templates, defaults ?? null, names])
}

/** The other suites that may read a variable of this one, as `auth.token`, or give it a value in a call. */
async function listReaders(
  { path }: Document,
  files: SuiteFiles,
): Promise<{ shown: string; text: string }[]> {
  const { plan } = await files.load(path).catch(() => {
    throw new Error('This suite has errors: correct them first.')
  })
  const own = basename(path)
  const others = [...(await files.index())].filter(
    ([file, { mentions, files: named }]) =>
      file !== path && (mentions.includes(plan.nodeId) || named.some((one) => basename(one) === own)),
  )
  return others.map(([file]) => ({ shown: files.show(file), text: files.readText(file) }))
}

/** True for a name that may be a key too, as in `{name}`: among commas and braces, not in `(`, `[`, `{{`. */
function isShorthand(text: string, [start, end]: readonly [number, number]): boolean {
  const before = text.slice(0, start)
  const isApart = /[{,]\s*$/.test(before) && /^\s*[,}]/.test(text.slice(end))
  return isApart && /(?:[)\]}]|(?<![{$])\{)[^()[\]{}]*$/.test(before)
}
