import { RelativePattern, workspace } from 'vscode'
import { LanguageClient } from 'vscode-languageclient/node'

const clients: LanguageClient[] = []

/** Starts a language server for each folder with suites, in the version that is installed there. */
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
      // Otherwise each server would get the first folder.
      workspaceFolder: folder,
      synchronize: {
        fileEvents: workspace.createFileSystemWatcher(
          new RelativePattern(folder, '**/{*.{yaml,yml},vite.config.*,vitest.config.*,.env*}'),
        ),
      },
    })
    clients.push(client)
  }
  // A server that does not start reports that itself, and must not stop the others.
  await Promise.allSettled(clients.map((client) => client.start()))
}

/** Stops the servers. */
export async function deactivate(): Promise<void> {
  await Promise.all(clients.map((client) => client.stop()))
}
