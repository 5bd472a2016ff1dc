import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const extension = join(import.meta.dirname, '../../editors/vscode')

test('the extension for VS Code is built into the file that its manifest names, and needs nothing but VS Code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vscode-'))
  try {
    execFileSync(process.execPath, [join(extension, 'build.ts'), folder], { stdio: 'pipe' })
    const { main } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8')) as { main: string }
    const code = readFileSync(join(folder, main.replace('./dist/', '')), 'utf8')
    const needed = [...code.matchAll(/\brequire\(["']([^"']+)["']\)/g)].map(([, name = '']) => name)
    const others = new Set(needed.filter((name) => !isBuiltin(name)))
    expect([...others]).toEqual(['vscode'])
    expect(code).toMatch(/exports\.activate = activate/)
    expect(code).toMatch(/exports\.deactivate = deactivate/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
