import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  createConnection,
  CompletionItemKind,
  MessageType,
  ProposedFeatures,
  ResponseError,
  ShowMessageNotification,
  TextDocumentSyncKind,
  type CompletionItem,
  type Location,
  type RenameParams,
  type TextDocumentIdentifier,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node'
import { stringifyJson } from '../../src/json.ts'
import { resolvePath } from '../../src/resolve-path.ts'
import { previewValue } from '../../src/text/show-value.ts'
import type { SuiteResult } from '../../src/run/result.ts'
import { findFile } from '../contract/linking/suite-lookup.ts'
import { CurrentSuites } from './current-suites.ts'
import { findName, toDiagnostic, toOffset, toRange, type Document } from './document.ts'
import { findLastValue, listBelow, readLastRun } from './last-run.ts'
import { readNames, type PlacedName } from './read-names.ts'
import { renameIn } from './rename.ts'
import { listShared } from './shared-names.ts'

/** No answer. Its cause, such as a wrong configuration, is shown once, not at each move of the mouse. */
const nothing = (): null => null

/** The most characters of a value in a hover. */
const LONGEST = 2000

/** Serves an editor over stdin and stdout: diagnostics, completion, values, definitions, renaming. */
export class LanguageServer {
  #connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout)
  #suites = new CurrentSuites()
  #documents = this.#suites.documents
  #told = new Set<string>()
  /** How many edits there were. Each may change the mistakes of any document. */
  #edits = 0

  listen(): void {
    const connection = this.#connection
    connection.onInitialize(({ workspaceFolders, rootUri }) => {
      const folders = [...(workspaceFolders ?? []).map(({ uri }) => uri), rootUri]
      const first = folders.find((uri) => uri?.startsWith('file:'))
      if (first) process.chdir(readPath(first))
      return {
        capabilities: {
          textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Full, save: true },
          completionProvider: { triggerCharacters: ['{', '.', ' '] },
          definitionProvider: true,
          hoverProvider: true,
          renameProvider: true,
        },
      }
    })
    connection.onDidOpenTextDocument(({ textDocument: { uri, text } }) => this.#change(uri, text))
    connection.onDidChangeTextDocument(({ textDocument: { uri }, contentChanges }) =>
      this.#change(uri, contentChanges.at(-1)?.text ?? ''),
    )
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => this.#change(uri, undefined))
    connection.onDidSaveTextDocument(() => this.#readAgain())
    connection.onDidChangeWatchedFiles(() => this.#readAgain())
    connection.onCompletion((place) => this.#complete(place).catch(nothing))
    connection.onHover((place) => this.#hover(place).catch(nothing))
    connection.onDefinition((place) => this.#define(place).catch(nothing))
    connection.onRenameRequest((place) => this.#rename(place))
    connection.onShutdown(() => this.#suites.close())
    connection.listen()
  }

  async #readAgain(): Promise<void> {
    this.#told.clear()
    await this.#publish(() => this.#suites.readAgain())
  }

  async #change(uri: string, text: string | undefined): Promise<void> {
    if (!uri.startsWith('file:')) return
    const path = readPath(uri)
    // Editors send every YAML file, even those of other folders.
    const isNamed = /\.suite\.ya?ml$/i.test(path) && !relative('.', path).startsWith('..')
    if (!isNamed && !(await this.#suites.isSuite(path))) return
    const known = this.#documents.get(path)
    if (text === undefined) this.#documents.delete(path)
    else {
      // While a `{{` is typed the text is often not valid YAML. The names from before are still useful.
      const names = readNames({ path, text }, dirname(path)) ?? known?.names ?? []
      this.#documents.set(path, { uri, path, text, names })
    }
    await this.#publish(async () => {
      await this.#suites.forget(path)
      if (text === undefined) await this.#connection.sendDiagnostics({ uri, diagnostics: [] })
    })
  }

  /** Publishes the mistakes of all open documents: an edit of one may break or mend others. */
  async #publish(prepare: () => Promise<void>): Promise<void> {
    const edit = ++this.#edits
    try {
      await prepare()
      for (const [path, document] of this.#documents) {
        const { files } = await this.#suites.findProject(path)
        const problems = await files.check(path)
        // Another edit came in the meantime. It publishes its own results.
        if (this.#edits !== edit) return
        const shown = { ...document, path: files.show(path) }
        const diagnostics = problems.map((problem) => toDiagnostic(problem, shown))
        await this.#connection.sendDiagnostics({ uri: document.uri, diagnostics })
      }
    } catch (error) {
      const message = (error as Error).message.replace(/^suitecase: /, '')
      // Otherwise it would be shown again with every keystroke.
      if (this.#told.has(message)) return
      this.#told.add(message)
      // As a notification, since clients that cannot answer a request refuse it.
      await this.#connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Error,
        message: `suitecase: ${message}`,
      })
    }
  }

  async #complete({ textDocument, position }: TextDocumentPositionParams): Promise<CompletionItem[]> {
    const document = this.#get(textDocument)
    if (!document) return []
    const offset = toOffset(document.text, position)
    const [{ length }] = /[\p{ID_Continue}$-]*$/u.exec(document.text.slice(0, offset)) as RegExpExecArray
    // Editors disagree on words in YAML: some take all of `body.us`, some only the `type` of `content-type`.
    const range = { start: { ...position, character: position.character - length }, end: position }
    const items = await this.#offer(document, offset)
    for (const item of items) item.textEdit = { range, newText: item.label }
    return items
  }

  /** The names that may stand at an offset. */
  async #offer(document: Document, offset: number): Promise<CompletionItem[]> {
    const run = await this.#readLastRun(document)
    const below = run ? listBelow(run, document.text, offset) : []
    const kind = CompletionItemKind.Field
    if (below.length > 0) return below.map(([label, value]) => ({ label, kind, detail: previewValue(value) }))
    const written = /\{\{(?:[^{}\n]*[^\w.$\n-])?(?:([\w-]+)\.)?[\w$-]*$/.exec(document.text.slice(0, offset))
    if (!written) return []
    const { options, files } = await this.#suites.findProject(document.path)
    const index = await files.index()
    const [, nodeId] = written
    if (nodeId !== undefined) {
      const path = await findFile(files, nodeId, dirname(document.path))
      // A suite with mistakes exports nothing yet.
      const loaded = path === undefined ? undefined : await files.load(path).catch(() => undefined)
      return (loaded?.plan.exports ?? []).map((label) => ({ label, kind }))
    }
    const shared = await listShared(files, document)
    const declared = [document, ...shared].flatMap((each) => each.names.filter((one) => one.isDeclared))
    const names = [
      ...declared.map(({ name }) => name),
      ...Object.keys({ ...options.variables, ...options.templates }),
      'echo_url',
      ...(options.app ? ['app_url'] : []),
    ]
    const others = [...index].filter(([path]) => path !== document.path).map(([, summary]) => summary.nodeId)
    return [
      ...Array.from(new Set(names), (label) => {
        const value = run && findLastValue(run, label, [])
        const detail = value === undefined ? {} : { detail: previewValue(value) }
        return { label, kind: CompletionItemKind.Variable, ...detail }
      }),
      ...others.map((label) => ({ label, kind: CompletionItemKind.Module })),
      ...files.functions.map((label) => ({ label, kind: CompletionItemKind.Function })),
    ]
  }

  async #readLastRun({ path }: Document): Promise<SuiteResult | undefined> {
    const { options, files } = await this.#suites.findProject(path)
    const nodeId = (await files.index()).get(path)?.nodeId
    if (nodeId === undefined) return undefined
    return readLastRun(options.outputDir, nodeId, files.show(path))
  }

  #get({ uri }: TextDocumentIdentifier): Document | undefined {
    return uri.startsWith('file:') ? this.#documents.get(readPath(uri)) : undefined
  }

  /** The document that an editor asks about, and the name at the position. */
  #find(place: TextDocumentPositionParams): [document: Document, found: PlacedName] | undefined {
    const document = this.#get(place.textDocument)
    const found = document && findName(document, place.position)
    return found && [document, found]
  }

  /** Shows the value of a name in the last run. */
  async #hover(place: TextDocumentPositionParams) {
    const [document, found] = this.#find(place) ?? []
    const run = document && (await this.#readLastRun(document))
    const value = run && found && findLastValue(run, found.name, found.members)
    if (value === undefined) return null
    const text = stringifyJson(value, 2).slice(0, LONGEST)
    return { contents: `Last run, ${run?.start_time}:\n\n\`\`\`json\n${text}\n\`\`\`` }
  }

  async #define(place: TextDocumentPositionParams): Promise<Location[]> {
    const [document, found] = this.#find(place) ?? []
    if (!document || !found) return []
    const { files } = await this.#suites.findProject(document.path)
    const own = [document, ...(await listShared(files, document))].flatMap((each) =>
      listPlaces(each, found.name).map((range) => ({
        uri: each === document ? document.uri : pathToFileURL(each.path).href,
        range,
      })),
    )
    if (own.length > 0) return own
    const path = await findFile(files, found.name, dirname(document.path))
    if (path === undefined) return []
    const text = files.readText(path)
    const names = readNames({ path, text }, dirname(path)) ?? []
    const places = listPlaces({ text, names }, found.members[0])
    if (places.length === 0) places.push(toRange(text, [0, 0]))
    return places.map((range) => ({ uri: pathToFileURL(path).href, range }))
  }

  async #rename({ newName, ...place }: RenameParams) {
    const [document, found] = this.#find(place) ?? []
    if (!document || !found) return null
    const around = await this.#suites.findProject(document.path)
    const edits = await renameIn(document, { name: found.name, newName }, around).catch((error: Error) => {
      throw new ResponseError(-32_803, error.message)
    })
    return { changes: { [document.uri]: edits } }
  }
}

/** The places where a variable or capture gets its value. */
function listPlaces({ text, names }: Pick<Document, 'text' | 'names'>, name?: string | number) {
  const declared = names.filter((one) => one.isDeclared && one.name === name)
  return declared.map(({ range }) => toRange(text, range))
}

/** The path of a file in the editor, saved or not, with its links resolved, as Vitest names it. */
function readPath(uri: string): string {
  const path = fileURLToPath(uri)
  const [there, ...name] = existsSync(path) ? [path] : [dirname(path), basename(path)]
  return resolvePath(existsSync(there) ? realpathSync(there) : there, ...name)
}
