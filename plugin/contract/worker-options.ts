import { loadEnv } from 'vite'
import type { TestProject } from 'vitest/node'
import type { ResolvedOptions } from './options.ts'

/** What workers need of the options, as plain data. */
export type WorkerOptions = Omit<ResolvedOptions, 'include' | 'exclude' | 'report'> & {
  /** Values of `.env` files. */
  env: Record<string, string>
  /** Name of the project of suites, one for each plugin of a workspace. */
  project: string
  /** Absolute path of the project. */
  root: string
  /** Absolute path of the folder Vitest runs in, to which shown paths are relative. */
  shownFrom: string
  /** Failures show more of an answer: the reporter `verbose` is asked for. */
  verbose?: boolean
  /** Key that secrets are sealed with on their way to the main process. */
  key: string
}

/** Variables of the `.env` files as Vite reads them for this mode; those of the process stay with the process. */
export function readEnvFiles(project: TestProject): Record<string, string> {
  const { mode, envDir } = project.vite.config
  if (!envDir) return {}
  const all = Object.entries(loadEnv(mode, envDir, ''))
  return Object.fromEntries(all.filter(([name]) => process.env[name] === undefined))
}

declare module 'vitest' {
  interface ProvidedContext {
    suitecase: WorkerOptions
  }
}
