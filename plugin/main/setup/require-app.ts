import { resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { refuse, type ResolvedOptions } from '../../contract/options.ts'

/** Throws a sentence when the option `app` points nowhere: each suite would fail on its own, and those with a `base_url` would not notice. */
export async function requireApp(
  { config, vite }: TestProject,
  { app }: Pick<ResolvedOptions, 'app'>,
): Promise<void> {
  if (!app) return
  const path = resolve(config.root, app.path)
  if (!(await vite.environments.ssr.pluginContainer.resolveId(path)))
    refuse(
      `suitecase: the option \`app\` points nowhere: there is no module ${path}. Write its path relative to ${config.root}.`,
    )
}
