import type { TestProject } from 'vitest/node'

/** Files of a module and of all that it imports, as far as they were loaded. */
export function listImported(project: TestProject, path: string): Set<string> {
  const files = new Set<string>()
  for (const { moduleGraph } of Object.values(project.vite.environments)) {
    const modules = new Set(moduleGraph.getModulesByFile(path))
    // A set is walked while it grows.
    for (const module of modules) {
      if (module.file) files.add(module.file)
      for (const imported of module.importedModules) modules.add(imported)
    }
  }
  return files
}
