import { spawn } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CompletionItem,
  type Diagnostic,
  type Location,
  type ProtocolConnection,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node'
import { cleanEnvironment } from '../testing/fixtures/processes.ts'
import { createProject, type Project, type ProjectOptions } from '../testing/fixtures/project.ts'

const auth = `suite_name: Auth
node_id: auth
exports: [token]
steps:
  - name: Log in
    request: { url: http://h/post }
    assert: { status_code: 200 }
    capture:
      token: body.token
`

const orders = `suite_name: Orders
variables:
  user: ada
steps:
  - name: Order
    request: { url: 'http://h/orders/{{user}}', auth: { bearer: '{{auth.token}}' } }
    assert:
      status_code: 200
      custom: [{ name: Own, condition: 'body.user === user' }]
    capture: { 'order': body.id }
  - name: Read it
    request: { url: 'http://h/orders/{{order}}?by={{ user }}' }
    assert: { status_code: 200 }
`

/** An editor with its own language server, which ends with it. */
async function openEditor({ root }: { root: string }) {
  const command = join(import.meta.dirname, '../../dist/plugin/cli.js')
  const child = spawn(process.execPath, [command, 'language-server', '--stdio'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: cleanEnvironment(),
  })
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const connection: ProtocolConnection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  const diagnostics = new Map<string, Diagnostic[]>()
  const messages: string[] = []
  connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
    messages.push(message)
  })
  connection.onNotification(
    'textDocument/publishDiagnostics',
    (told: { uri: string; diagnostics: Diagnostic[] }) => {
      diagnostics.set(told.uri, told.diagnostics)
    },
  )
  connection.listen()
  const uriOf = (name: string): string => pathToFileURL(join(root, name)).href
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'shop' }],
    capabilities: {},
  })
  /** Asks about the place right after the marker in the text. */
  const ask = <Answer>(
    method: string,
    name: string,
    place: { text: string; behind: string; more?: object },
  ) => {
    const before = place.text.slice(0, place.text.indexOf(place.behind) + place.behind.length).split('\n')
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
    return connection.sendRequest<Answer>(`textDocument/${method}`, {
      textDocument: { uri: uriOf(name) },
      position,
      ...place.more,
    })
  }
  /** The labels of what is offered there. */
  const complete = async (name: string, place: { text: string; behind: string }): Promise<string[]> =>
    (await ask<CompletionItem[]>('completion', name, place)).map(({ label }) => label)
  return {
    uriOf,
    ask,
    complete,
    messages,
    diagnosticsOf: (name: string) => diagnostics.get(uriOf(name)),
    open: (name: string, text: string) =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uriOf(name), languageId: 'yaml', version: 1, text },
      }),
    change: (name: string, text: string) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uriOf(name), version: 2 },
        contentChanges: [{ text }],
      }),
    save: (name: string) =>
      connection.sendNotification('textDocument/didSave', { textDocument: { uri: uriOf(name) } }),
    async [Symbol.asyncDispose]() {
      await connection.sendRequest('shutdown')
      await connection.sendNotification('exit')
      expect(await ended).toBe(0)
      connection.dispose()
    },
  }
}

function applyEdits(text: string, edits: readonly TextEdit[] = []): string {
  const lines = text.split('\n')
  const sorted = edits.toSorted(
    ({ range: { start: a } }, { range: { start: b } }) => b.line - a.line || b.character - a.character,
  )
  for (const { range, newText } of sorted) {
    const line = lines[range.start.line] ?? ''
    lines[range.start.line] = line.slice(0, range.start.character) + newText + line.slice(range.end.character)
  }
  return lines.join('\n')
}

const patient = { timeout: 20_000 }

/** Opens an editor in a project that the tests share. Each test opens what it needs anew. */
function shareEditor(files: Record<string, string>, options?: ProjectOptions) {
  let opened: { project: Project; editor: Awaited<ReturnType<typeof openEditor>> }
  beforeAll(async () => {
    const project = await createProject(files, options)
    opened = { project, editor: await openEditor(project) }
  })
  afterAll(async () => {
    await opened.editor[Symbol.asyncDispose]()
    await opened.project[Symbol.asyncDispose]()
  })
  return () => opened
}

const named = `suite_name: Names
variables: { all: 1 }
defaults: { headers: { x: '{{d' } }
steps:
  - name: One
    variables: { own: 1 }
    request: { url: 'http://h/{{o' }
    iterate: { over: [1], as: item }
    capture: { late: body.id }
    scenarios: [{ condition: status_code == 200, then: { variables: { set: 1 } } }]
setup:
  - name: First
    request: { url: 'http://h' }
    capture: { early: body.id }
`
const using = `suite_name: A\nuse: [shared.yaml, bad.yaml]\nsteps:\n  - { name: s, request: { url: 'http://localhost/' } }\n`
const related = shareEditor(
  {
    'auth.suite.yaml': auth,
    'orders.suite.yaml': orders,
    'fail.suite.yaml': `${auth.replace('node_id: auth', 'node_id: fail')}  - { nme: Wrong }\n`,
    'a.suite.yaml': using,
    'shared.yaml': "# …\ndefaults: { headers: { x: '{{tokn}}' } }\n",
    'bad.yaml': 'defaults: {}\n',
    'names.suite.yaml': named,
    'flows/in.yaml': 'suite_name: In\nsteps: []\n',
  },
  { suites: "{ include: ['*.suite.yaml', 'flows/*.yaml'], variables: { region: 'eu' } }" },
)

test('mistakes are told while one writes, also those that an edit of another suite brings', async () => {
  const { editor } = related()
  await editor.open('orders.suite.yaml', orders)
  await expect.poll(() => editor.diagnosticsOf('orders.suite.yaml'), patient).toEqual([])
  await editor.change('orders.suite.yaml', orders.replace('assert:\n', 'asert:\n'))
  await expect
    .poll(() => editor.diagnosticsOf('orders.suite.yaml')?.[0], patient)
    .toEqual({
      range: { start: { line: 6, character: 4 }, end: { line: 6, character: 9 } },
      severity: 1,
      code: 'unknown-field',
      source: 'suitecase',
      message: 'Unknown field `asert` in `steps[0]`.\nDid you mean `assert`?',
    })
  await editor.change('orders.suite.yaml', orders)
  await editor.open('auth.suite.yaml', auth)
  await expect.poll(() => editor.diagnosticsOf('orders.suite.yaml'), patient).toEqual([])
  await editor.change('auth.suite.yaml', auth.replace('[token]', '[]'))
  await expect
    .poll(() => editor.diagnosticsOf('orders.suite.yaml')?.map(({ code }) => code), patient)
    .toEqual(['unknown-export'])
})

test('a mistake of a shared file is told with its place there', async () => {
  const { editor, project } = related()
  const told = (): unknown =>
    editor
      .diagnosticsOf('a.suite.yaml')
      ?.map(({ range, message }) => [range.start, (message as string).split(' ')[0]])
  await editor.open('a.suite.yaml', using)
  await expect.poll(told, patient).toEqual([[{ line: 1, character: 6 }, 'shared.yaml:2:30:']])
  await project.write({ 'bad.yaml': '# …\n# …\ndefalts: {}\n' })
  await editor.change('a.suite.yaml', `${using}# saved\n`)
  await expect.poll(told, patient).toEqual([[{ line: 0, character: 0 }, 'bad.yaml:3:1:']])
})

test('a name leads to where it gets its value, in this suite or another', async () => {
  const { editor } = related()
  await editor.open('orders.suite.yaml', orders)
  const define = (behind: string, text = orders): Promise<Location[]> =>
    editor.ask('definition', 'orders.suite.yaml', { text, behind })
  const at = (line: number, start: number, end: number) => ({
    start: { line, character: start },
    end: { line, character: end },
  })
  expect(await define('by={{ us')).toEqual([{ uri: editor.uriOf('orders.suite.yaml'), range: at(2, 2, 6) }])
  expect(await define('{{auth.to')).toEqual([{ uri: editor.uriOf('auth.suite.yaml'), range: at(8, 6, 11) }])
  expect(await define('status_code')).toEqual([])
  // Also to a suite with a mistake.
  const text = orders.replace('{{auth.', '{{fail.')
  await editor.change('orders.suite.yaml', text)
  expect(await define('{{fail.to', text)).toEqual([
    { uri: editor.uriOf('fail.suite.yaml'), range: at(8, 6, 11) },
  ])
})

test('a variable is renamed wherever it is, and one that others may read is not', async () => {
  const { editor } = related()
  await editor.open('orders.suite.yaml', orders)
  await editor.open('auth.suite.yaml', auth)
  const rename = async (text: string, behind: string, newName: string): Promise<string> => {
    const name = text === auth ? 'auth.suite.yaml' : 'orders.suite.yaml'
    const { changes } = await editor.ask<WorkspaceEdit>('rename', name, { text, behind, more: { newName } })
    return applyEdits(text, changes?.[editor.uriOf(name)])
  }
  expect(await rename(orders, '  us', 'person')).toBe(
    orders
      .replace('  user: ada', '  person: ada')
      .replace('{{user}}', '{{person}}')
      .replace('=== user', '=== person')
      .replace('{{ user }}', '{{ person }}'),
  )
  expect(await rename(orders, '/{{ord', 'id')).toBe(
    orders.replace("'order'", "'id'").replace('{{order}}', '{{id}}'),
  )
  await expect(rename(auth, '      tok', 'key')).rejects.toThrow(
    '`orders.suite.yaml` may use `token` of this suite: rename it by hand.',
  )
  await expect(rename(orders, '  us', 'order')).rejects.toThrow('`order` is already used in this suite.')
  await expect(rename(orders, '  us', 'a b')).rejects.toThrow('`a b` cannot be the name of a variable.')
  const nothing = { text: orders, behind: 'status_co', more: { newName: 'x' } }
  expect(await editor.ask('rename', 'orders.suite.yaml', nothing)).toBeNull()
})

test('a folder that is opened by a link has the same suites', async () => {
  await using project = await createProject({ 'auth.suite.yaml': auth, 'orders.suite.yaml': orders })
  const root = `${project.root}-link`
  await symlink(project.root, root)
  await using editor = await openEditor({ root })
  await editor.open('orders.suite.yaml', orders)
  await expect.poll(() => editor.diagnosticsOf('orders.suite.yaml'), patient).toEqual([])
  const [place] = await editor.ask<Location[]>('definition', 'orders.suite.yaml', {
    text: orders,
    behind: '{{auth.to',
  })
  expect(place?.uri).toBe(pathToFileURL(join(project.root, 'auth.suite.yaml')).href)
})

test('a mistake in the configuration is told once; with a save all is read again: the configuration, suites that are not open, and drafts stay', async () => {
  await using project = await createProject({ 'orders.suite.yaml': orders }, { suites: '{ variabels: {} }' })
  const config = (options: string): Promise<void> =>
    project.write({
      'vitest.config.ts': `import { suites } from 'suitecase/plugin'\nexport default { plugins: [suites(${options})] }\n`,
    })
  await using editor = await openEditor(project)
  const text = orders.replace('{{order}}', '{{region}}')
  const told = () => editor.diagnosticsOf('orders.suite.yaml')?.map(({ message }) => message)
  await editor.open('orders.suite.yaml', text)
  const place = { text, behind: 'us' }
  expect(await editor.ask('hover', 'orders.suite.yaml', place)).toBeNull()
  expect(await editor.ask('completion', 'orders.suite.yaml', place)).toBeNull()
  await editor.change('orders.suite.yaml', `${text}# edited\n`)
  expect(await editor.ask('definition', 'orders.suite.yaml', place)).toBeNull()
  expect(editor.messages).toEqual([expect.stringContaining('`variabels`')])
  await config('{}')
  await editor.save('orders.suite.yaml')
  const unknown = (name: string) => expect.stringContaining(`\`${name}\``)
  await expect.poll(told, patient).toEqual([unknown('auth'), unknown('region')])
  await config("{ variables: { region: 'eu' } }")
  await project.write({ 'auth.suite.yaml': auth })
  await editor.save('orders.suite.yaml')
  await expect.poll(told, patient).toEqual([])
})

test('with a save of one suite, the others are still checked as they are in the editor', async () => {
  const tagged = auth.replace('    request', '    tags: [slow]\n    request')
  await using project = await createProject({ 'auth.suite.yaml': tagged, 'orders.suite.yaml': orders })
  await using editor = await openEditor(project)
  const told = (name: string) => editor.diagnosticsOf(name)?.map(({ message }) => message)
  await editor.open(
    'auth.suite.yaml',
    tagged.replace('node_id: auth', 'node_id: login').replace('asse', 'ase'),
  )
  await editor.open('orders.suite.yaml', orders.replace('{{order}}', '{{region}}'))
  const unknown = (name: string) => expect.stringContaining(`\`${name}\` is not`)
  await expect.poll(() => told('orders.suite.yaml'), patient).toEqual([unknown('auth'), unknown('region')])
  await project.write({
    'vitest.config.ts':
      "import { suites } from 'suitecase/plugin'\nexport default { plugins: [suites({ variables: { region: 'eu' } })] }\n",
  })
  await editor.save('orders.suite.yaml')
  await expect.poll(() => told('orders.suite.yaml'), patient).toEqual([unknown('auth')])
  expect(told('auth.suite.yaml')).toEqual(['Unknown field `asert` in `steps[0]`.\nDid you mean `assert`?'])
})

test('other YAML files get no answers, and those that `include` names do', async () => {
  const { editor } = related()
  await editor.open('compose.yaml', 'services: {}\n')
  await editor.open('flows/in.yaml', 'suite_name: A\n')
  await expect.poll(() => editor.diagnosticsOf('flows/in.yaml')?.[0]?.code, patient).toBe('missing-field')
  expect(editor.diagnosticsOf('compose.yaml')).toBeUndefined()
})

test('variables, captures, suites and their exports are completed', async () => {
  const { editor } = related()
  await editor.open('orders.suite.yaml', orders)
  const text = orders.replace('{{order}}', '{{')
  await editor.change('orders.suite.yaml', text)
  const complete = (behind: string): Promise<string[]> =>
    editor.complete('orders.suite.yaml', { text, behind })
  expect(await complete('by={{ u')).toEqual([
    ...['user', 'order', 'region', 'echo_url', 'a', 'auth', 'fail', 'names', 'in'],
  ])
  expect(await complete('{{auth.')).toEqual(['token'])
  expect(await complete('suite_name: O')).toEqual([])
})

test('all variables and captures of the suite are completed in every step', async () => {
  const { editor } = related()
  await editor.open('names.suite.yaml', named)
  const names = [
    ...['all', 'own', 'item', 'late', 'set', 'early', 'region', 'echo_url'],
    ...['a', 'auth', 'fail', 'orders', 'in'],
  ]
  for (const behind of ['{{d', '{{o'])
    expect(await editor.complete('names.suite.yaml', { text: named, behind })).toEqual(names)
})

const chat = `suite_name: Chat
use: [shared.yaml]
redact: [secret]
variables: { user: ada, v: 3, secret: s, token: t, plain: 1, ownVar: 1, escaped: 1 }
each:
  - { user: bob, plan: free }
steps:
  - name: Chat {{user}}
    websocket:
      url: 'ws://h/{{user}}'
      exchange:
        - send: '{{variables.v}} {{ variables.user }} {{secret}} {{plain}}'
        - expect: '{{v}}'
          capture: { said: message.id }
  - name: Read
    request: &read { url: 'http://h/{{said}}/{{plan}}/{{common}}/{{region}}/{{ownVar}}' }
    assert:
      custom: [{ condition: '[1].map(item => item + v)[0] === plain && ({plain}).plain > 0' }]
  - name: Again
    request: *read
    scenarios:
      - condition: variables.token == 'x'
        then: { capture: { seen: body.id } }
  - name: Escape
    request: { url: "http://h/{{escaped}}/\\x7b{token}}" }
  - name: Upload
    request: { method: PUT, url: 'http://h', file: sent.yaml }
`

const around = {
  'chat.suite.yaml': chat,
  // The suite sends this file as a body, and takes no values from it.
  'sent.yaml': 'variables: { user: 1 }\n',
  'shared.yaml': "variables: { common: 1 }\ndefaults: { headers: { x: '{{token}}' } }\n",
  'environments/ci.yaml': 'variables: { region: eu }\nsecrets: { said: s }\n',
  'rows.suite.yaml': `suite_name: Rows
each: { file: rows.csv }
variables: { size: 1 }
steps: [{ name: s, request: { url: 'http://h/{{color}}/{{size}}' } }]
`,
  'rows.csv': 'color,size\nred,1\n',
  'auth.suite.yaml': `${auth.replace('auth\n', 'login\n')}      inner: body.inner\n      größe: body.size\n`,
  'reader.suite.yaml': `suite_name: Reader
steps: [{ name: s, request: { url: 'http://h/{{login.token-1}}/{{login.größe}}' } }]
`,
}

const settings = shareEditor(around, { suites: "{ variables: { ownVar: 'x' } }" })

test('names lead to rows, messages, shared settings and environments', async () => {
  const { editor } = settings()
  await editor.open('chat.suite.yaml', chat)
  await editor.open('rows.suite.yaml', around['rows.suite.yaml'])
  const define = async (behind: string, name: 'chat.suite.yaml' | 'rows.suite.yaml' = 'chat.suite.yaml') => {
    const places = await editor.ask<Location[]>('definition', name, { text: around[name], behind })
    return places.map(({ uri, range: { start } }) => [
      uri.slice(editor.uriOf('').length + 1),
      start.line + 1,
      start.character + 1,
    ])
  }
  expect(await define('{{us')).toEqual([
    ['chat.suite.yaml', 4, 14],
    ['chat.suite.yaml', 6, 7],
  ])
  expect(await define('/{{pl')).toEqual([['chat.suite.yaml', 6, 18]])
  expect(await define('/{{sa')).toEqual([
    ['chat.suite.yaml', 14, 22],
    ['environments/ci.yaml', 2, 12],
  ])
  expect(await define('{{comm')).toEqual([['shared.yaml', 1, 14]])
  expect(await define('{{reg')).toEqual([['environments/ci.yaml', 1, 14]])
  expect(await define('{{variables.v')).toEqual([['chat.suite.yaml', 4, 25]])
  expect(await define('{{col', 'rows.suite.yaml')).toEqual([['rows.csv', 1, 1]])
  const text = chat.replace('{{common}}', '{{')
  await editor.change('chat.suite.yaml', text)
  expect(await editor.complete('chat.suite.yaml', { text, behind: '{{plan}}/{{' })).toEqual(
    expect.arrayContaining(['user', 'plan', 'said', 'common', 'region']),
  )
})

test('a rename changes all places or none', async () => {
  const { editor } = settings()
  await editor.open('chat.suite.yaml', chat)
  await editor.open('rows.suite.yaml', around['rows.suite.yaml'])
  await editor.open('auth.suite.yaml', around['auth.suite.yaml'])
  const rename = async (behind: string, newName: string, name: keyof typeof around = 'chat.suite.yaml') => {
    const asked = { text: around[name], behind, more: { newName } }
    try {
      const { changes } = await editor.ask<WorkspaceEdit>('rename', name, asked)
      return applyEdits(around[name], changes?.[editor.uriOf(name)])
    } catch (error) {
      return (error as Error).message
    }
  }
  // Renames also in the rows, which hide the variable, and after `variables.`; what an alias repeats, once.
  expect(await rename('{{us', 'person')).toBe(chat.replaceAll(/user/g, 'person'))
  expect(await rename('/{{comm', 'zz')).toBe('`common` is not a variable or capture of this suite.')
  expect(await rename('/{{pl', 'tariff')).toBe(chat.replaceAll(/\bplan\b/g, 'tariff'))
  expect(await rename('variables: { user: ada, v', 'w')).toBe(chat.replaceAll(/\bv\b/g, 'w'))
  const byHand = 'cannot be renamed safely: rename it by hand.'
  expect(await rename('{{sec', 'zz')).toBe(`\`secret\` on line 3 ${byHand}`)
  expect(await rename('{{pla', 'zz')).toBe(`\`plain\` on line 18 ${byHand}`)
  // With escaped braces, the names in a text have no places of their own.
  expect(await rename(', esc', 'zz')).toBe(`\`escaped\` on line 25 ${byHand}`)
  const others = (file: string, name: string) =>
    `\`${file}\` may use \`${name}\` of this suite: rename it by hand.`
  expect(await rename('token', 'zz')).toBe(others('shared.yaml', 'token'))
  expect(await rename('{{sa', 'zz')).toBe(others('environments/ci.yaml', 'said'))
  expect(await rename('{{ownV', 'zz')).toBe(others('suites()', 'ownVar'))
  expect(await rename('variables: { si', 'zz', 'rows.suite.yaml')).toBe(others('rows.csv', 'size'))
  expect(await rename('[tok', 'zz', 'auth.suite.yaml')).toBe(others('reader.suite.yaml', 'token'))
  expect(await rename('      grö', 'zz', 'auth.suite.yaml')).toBe(others('reader.suite.yaml', 'größe'))
  expect(await rename(' inn', 'zz', 'auth.suite.yaml')).toContain('      zz: body.inner\n')
  // New names that already mean something at that place.
  expect(await rename('{{us', 'region')).toBe('`region` is already used in this suite.')
  expect(await rename('{{us', 'said')).toBe('`said` is already used in this suite.')
  expect(await rename('{{us', 'index')).toBe('`index` cannot be the name of a variable.')
  expect(await rename('variables: { user: ada, v', 'item')).toBe('`item` means something else on line 18.')
  expect(await rename('variables: { user: ada, v', 'body')).toBe('`body` means something else on line 13.')
  expect(await rename('{{us', 'class')).toContain('{{variables.v}} {{ variables.class }}')
  await editor.change('chat.suite.yaml', chat.replace('custom:', 'custm:'))
  expect(await rename('{{us', 'person')).toBe('This suite has errors: correct them first.')
})

test('suites of another folder, which has its own configuration, get no answers', async () => {
  await using project = await createProject({
    'api/vitest.config.ts': `export { default } from '../vitest.config.ts'\n`,
    'api/auth.suite.yaml': auth,
    'shop/auth.suite.yaml': auth,
  })
  await using editor = await openEditor({ root: join(project.root, 'api') })
  const define = async (name: string): Promise<unknown> => {
    await editor.open(name, auth)
    return editor.ask('definition', name, { text: auth, behind: 'tok' })
  }
  expect(await define('auth.suite.yaml')).toHaveLength(1)
  expect(await define('../shop/auth.suite.yaml')).toEqual([])
})

const shop = `suite_name: Shop
base_url: '{{echo_url}}'
variables: { amount: 2 }
steps:
  - name: Log in
    request: { method: POST, url: /post, body: { user: ada, items: [{ sku: lamp }], '@id': 7, token: hidden-token-1 } }
    assert: { status_code: 200 }
    capture:
      token: body.json.token
      user: body.json.user
  - name: 'Order {{amount}}'
    request: { url: '/anything/{{user}}?n={{amount}}', auth: { bearer: '{{token}}' } }
    assert: { status_code: 200 }
`

const withId = (id: string): string => shop.replace('suite_name: Shop', `suite_name: Shop\nnode_id: ${id}`)
const cased = { 'a.suite.yaml': withId('lower'), 'b.suite.yaml': withId('LOWER').replace('ada', 'bob') }
const large = `suite_name: Large
base_url: '{{echo_url}}'
variables: { large: 12345678901234567890 }
steps:
  - name: Send it
    request: { url: '/get?n={{large}}' }
    assert: { status_code: 200 }
`
const lastRun = shareEditor(
  {
    ...cased,
    'large.suite.yaml': large,
    'shop.suite.yaml': shop,
    'new.suite.yaml': shop,
    'extend.ts': 'export default { functions: { sign: (text: string) => text } }',
  },
  { suites: "{ extend: './extend.ts' }" },
)
beforeAll(() => lastRun().project.run('a.suite', 'b.suite', 'large', 'shop'))

test('values and answers of the last run are offered and shown, secrets hidden', async () => {
  const { editor } = lastRun()
  await editor.open('shop.suite.yaml', shop)
  const complete = async (text: string, behind: string): Promise<string[]> => {
    await editor.change('shop.suite.yaml', text)
    const items = await editor.ask<CompletionItem[]>('completion', 'shop.suite.yaml', { text, behind })
    return items.map(({ label, detail }) => `${label} ${detail}`)
  }
  const capture = (path: string): string => shop.replace('user: body.json.user', `user: ${path}`)
  expect(await complete(capture('body.json.'), 'user: body.json.')).toEqual([
    '"@id" 7',
    'items [{"sku":"lamp"}]',
    'token "[redacted]"',
    'user "ada"',
  ])
  expect(await complete(capture('body.json.items[0].s'), 'items[0].s')).toEqual(['sku "lamp"'])
  expect(await complete(capture('headers.'), 'user: headers.')).toContain('content-type "application/json"')
  // In a check, which is a key, names need no quotes.
  const below = shop.replace('    capture:', '      body.json.\n    capture:')
  expect(await complete(below, '      body.json.')).toContain('@id 7')
  const check = shop.replace(/status_code: 200 }\n$/, 'body. }\n')
  expect(await complete(check, '{ body.')).toContain('method "GET"')
  expect(await complete(shop.replace('n={{amount}}', 'n={{'), 'n={{')).toEqual(
    expect.arrayContaining(['amount 2', 'user "ada"', 'token "[redacted]"', 'sign undefined']),
  )
  // Only what was typed of the name is replaced.
  const typed = capture('headers.content-t')
  await editor.change('shop.suite.yaml', typed)
  const place = { text: typed, behind: 'headers.content-t' }
  const items = await editor.ask<CompletionItem[]>('completion', 'shop.suite.yaml', place)
  const { textEdit } = items.find(({ label }) => label === 'content-type') ?? {}
  expect(applyEdits(typed, [textEdit as TextEdit])).toBe(capture('headers.content-type'))
  await editor.change('shop.suite.yaml', shop)
  const hover = async (behind: string): Promise<string | undefined> => {
    const place = { text: shop, behind }
    return (await editor.ask<{ contents: string } | null>('hover', 'shop.suite.yaml', place))?.contents
  }
  expect(await hover('anything/{{us')).toMatch(/^Last run, \d{4}-.*Z:\n\n```json\n"ada"\n```$/)
  expect(await hover("bearer: '{{tok")).toContain('"[redacted]"')
  expect(await hover('      tok')).toContain('"[redacted]"')
  expect(await hover('status_co')).toBeUndefined()
})

test('a suite of which another has the name but for its case has its own last run', async () => {
  const { editor } = lastRun()
  for (const [name, value] of [['a', 'ada'] as const, ['b', 'bob'] as const]) {
    const text = cased[`${name}.suite.yaml`]
    await editor.open(`${name}.suite.yaml`, text)
    const hover = await editor.ask('hover', `${name}.suite.yaml`, { text, behind: 'anything/{{us' })
    expect(hover).toEqual({ contents: expect.stringContaining(`"${value}"`) })
  }
})

test('integers of the last run that a double cannot hold are shown with all of their digits', async () => {
  const { editor } = lastRun()
  await editor.open('large.suite.yaml', large)
  const place = { text: large, behind: 'n={{lar' }
  const { contents } = await editor.ask<{ contents: string }>('hover', 'large.suite.yaml', place)
  expect(contents).toContain('```json\n12345678901234567890\n```')
})

test('without a run nothing is made up', async () => {
  const { editor } = lastRun()
  await editor.open('new.suite.yaml', shop)
  const at = (behind: string) => ({ text: shop, behind })
  expect(await editor.ask('hover', 'new.suite.yaml', at('anything/{{us'))).toBeNull()
  expect(await editor.ask('completion', 'new.suite.yaml', at('user: body.json.'))).toEqual([])
})

test('the last run is found where a `root` in the configuration puts it', async () => {
  await using project = await createProject({
    'vitest.config.ts': `import { suites } from 'suitecase/plugin'\nexport default { root: 'api', plugins: [suites()] }\n`,
    'api/shop.suite.yaml': shop,
  })
  expect((await project.run()).output).toContain('2 passed')
  await using editor = await openEditor(project)
  await editor.open('api/shop.suite.yaml', shop)
  const place = { text: shop, behind: 'anything/{{us' }
  expect(await editor.ask('hover', 'api/shop.suite.yaml', place)).toEqual({
    contents: expect.stringContaining('"ada"'),
  })
})
