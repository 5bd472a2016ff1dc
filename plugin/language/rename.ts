import { basename } from 'node:path'
import type { TextEdit } from 'vscode-languageserver/node'
import type { ResolvedOptions } from '../contract/options.ts'
import { importsPackage } from '../main/suites/link-typed.ts'
import type { SuiteFiles } from '../main/suites/suite-files.ts'
import { toRange, type Document } from './document.ts'
import { readNames } from './read-names.ts'
import { listShared, readOptions } from './shared-names.ts'

/** Where else a name of a suite may be. */
type Around = {
  options: ResolvedOptions
  files: SuiteFiles
  /** Modules that may define suites. */
  modules: readonly string[]
}

/** Names that have a meaning of their own in every suite. */
const GIVEN = /^(?:variables|index|base_url|echo_url|app_url)$/

/** The edits that rename a variable or capture of a suite. Rejects, with the reason, if something may still use the old name, or take the new one for another. */
export async function renameIn(
  document: Document,
  { name, newName }: { name: string; newName: string },
  around: Around,
): Promise<TextEdit[]> {
  const { text, path, names } = document
  if (!/^[A-Za-z_]\w*$/.test(newName) || GIVEN.test(newName))
    throw new Error(`\`${newName}\` cannot be the name of a variable.`)
  if (!names.some((one) => one.isDeclared && one.name === name))
    throw new Error(`\`${name}\` is not a variable or capture of this suite.`)
  const inOptions = readOptions(around.options)
  const shared = await listShared(around.files, document)
  if ([document, inOptions, ...shared].some((each) => holds(each, newName)))
    throw new Error(`\`${newName}\` is taken in this suite.`)
  const file = shared.find((each) => holds(each, name))
  const user = file ? around.files.show(file.path) : await findUser(document, name, around)
  if (user !== undefined || holds(inOptions, name))
    throw new Error(`\`${user ?? 'suites()'}\` may use \`${name}\` of this suite: rename it by hand.`)
  const places = names.filter((one) => one.name === name).map(({ range }) => range)
  const all = names.find((one) => one.name === 'variables' && one.members.length === 0)
  const odd =
    all?.range ?? places.find((range) => text.slice(range[0], range[1]) !== name || isShorthand(text, range))
  if (odd)
    throw new Error(
      `\`${name}\` in line ${toRange(text, odd).start.line + 1} cannot be renamed safely: rename it by hand.`,
    )
  const renamed = places
    .toSorted(([a], [b]) => b - a)
    .reduce((rest, [start, end]) => rest.slice(0, start) + newName + rest.slice(end), text)
  const after = readNames({ path, text: renamed }, around.files.root) ?? []
  const other = names.find((one, at) => after[at]?.name !== (one.name === name ? newName : one.name))
  if (other)
    throw new Error(
      `\`${newName}\` means something else in line ${toRange(text, other.range).start.line + 1}.`,
    )
  return places.map((range) => ({ range: toRange(text, range), newText: newName }))
}

function holds({ names }: Pick<Document, 'names'>, name: string): boolean {
  return names.some((one) => one.name === name)
}

/** True for a name that may be a key, too, as in the expression `{name}`: it stands among commas and braces, and no `(`, `[` or `{{` is the last bracket before it. */
function isShorthand(text: string, [start, end]: readonly [number, number, unknown?]): boolean {
  const before = text.slice(0, start)
  const isApart = /[{,]\s*$/.test(before) && /^\s*[,}]/.test(text.slice(end))
  return isApart && /(?:[)\]}]|(?<![{$])\{)[^()[\]{}]*$/.test(before)
}

/** What else may use a variable or capture of a suite: the module of `extend`, and other suites, in YAML or TypeScript. */
async function findUser(
  { path }: Document,
  name: string,
  { options: { extend }, files, modules }: Around,
): Promise<string | undefined> {
  const { plan } = await files.load(path).catch(() => {
    throw new Error('This suite has mistakes: correct them first.')
  })
  const { nodeId } = plan
  const own = basename(path)
  const read = (file: string): string => files.readText(file)
  const others = [...(await files.index())].filter(
    ([file, { mentions, files: named }]) =>
      file !== path && (mentions.includes(nodeId) || named.some((one) => basename(one) === own)),
  )
  const extending = extend !== undefined && read(extend).includes('variables') ? [extend] : []
  const typed = modules.filter(
    (file) => importsPackage(read(file)) && [nodeId, own].some((word) => read(file).includes(word)),
  )
  // They may read `auth.token`, or give `token` a value in a call; `auth[…]` may be any. `a-b` may be a subtraction.
  const word = new RegExp(
    String.raw`(?<![\p{ID_Continue}$])${name.replaceAll(/\W/g, '.')}(?![\p{ID_Continue}$])`,
    'u',
  )
  const user = [...extending, ...others.map(([file]) => file), ...typed].find(
    (file) => word.test(read(file)) || read(file).includes(`${nodeId}[`),
  )
  return user && files.show(user)
}
