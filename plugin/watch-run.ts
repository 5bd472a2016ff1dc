import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node'
import type { ExportBoard } from './export-board.ts'

/** Keeps the board of exports in step with a run, as a reporter of Vitest. */
export function watchRun(board: ExportBoard, onStart: () => void): Reporter {
  let vitest: Vitest | undefined
  return {
    onInit(started) {
      vitest = started
    },
    async onTestRunStart(specifications: readonly TestSpecification[]) {
      onStart()
      board.reset()
      // Vitest forgets the listeners of the last run. One that waits would keep a cancelled run from ending.
      vitest?.onCancel(() => board.reset())
      await board.progress.start(
        specifications.map(({ moduleId, testNamePattern, project }) => ({
          path: moduleId,
          pattern: testNamePattern ?? project.config.testNamePattern,
        })),
      )
    },
    onTestModuleCollected(module) {
      board.progress.collected(module.moduleId, hasSelected(module))
    },
    onTestModuleEnd(module) {
      const nodeId = board.progress.ended(module.moduleId, describeFailure(module))
      if (nodeId !== undefined) board.endFile(nodeId)
    },
    onTestRunEnd() {
      board.reset()
    },
  }
}

/** A file that could not be loaded counts: it says itself what is wrong. */
function hasSelected(module: TestModule): boolean {
  if (module.errors().length > 0) return true
  return [...module.children.allTests()].some(({ options }) => options.mode === 'run')
}

function describeFailure(module: TestModule): string | undefined {
  if (module.ok()) return undefined
  const failed: TestCase | undefined = [...module.children.allTests('failed')][0]
  if (!failed) return 'it could not be run'
  const line = failed.location ? `:${failed.location.line}` : ''
  return `step “${failed.name}” (${module.relativeModuleId}${line}) failed`
}
