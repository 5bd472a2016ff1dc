import { RelativePattern, workspace } from 'vscode'
import { LanguageClient } from 'vscode-languageclient/node'

const clients: LanguageClient[] = []

/** Starts the language server of each folder with suites: that of the version which is installed there. */
export async function activate(): Promise<void> {
  for (const folder of workspace.workspaceFolders ?? []) {
    const { name, uri } = folder
    const suites = new RelativePattern(folder, '**/*.suite.{yaml,yml}')
    if ((await workspace.findFiles(suites, undefined, 1)).length === 0) continue
    const server = {
      command: 'npx',
      args: ['--no-install', 'suitecase', 'language-server', '--stdio'],
      options: { cwd: uri.fsPath, shell: true },
    }
    const pattern = `${uri.fsPath.replaceAll('\\', '/')}/**/*.{yaml,yml}`
    const client = new LanguageClient('suitecase', `suitecase (${name})`, server, {
      documentSelector: [{ scheme: 'file', pattern }],
      // Else each server is told the first folder.
      workspaceFolder: folder,
      synchronize: {
        fileEvents: workspace.createFileSystemWatcher(
          new RelativePattern(folder, '**/{*.{yaml,yml},vite.config.*,vitest.config.*,.env*}'),
        ),
      },
    })
    clients.push(client)
  }
  // One that does not start says so itself, and keeps no other from it.
  await Promise.allSettled(clients.map((client) => client.start()))
}

/** Ends the servers. */
export async function deactivate(): Promise<void> {
  await Promise.all(clients.map((client) => client.stop()))
}
