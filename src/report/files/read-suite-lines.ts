import { readLines } from './read-lines.ts'

/** One step of a result file, or, as the last, the suite without its steps; each as JSON in one line. */
export type SuiteLine = { kind: 'step' | 'suite'; json: string }

/** Reads a result file piece by piece, as `serialiseSuite` wrote it: steps are the objects indented by four spaces. */
export async function* readSuiteLines(path: string): AsyncGenerator<SuiteLine> {
  let suite = ''
  let step = ''
  let inSteps = false
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      if (!inSteps) {
        inSteps = line === '  "steps_results": ['
        if (!inSteps) suite += line.trimStart()
      } else if (line === '  ],') inSteps = false
      else if (line === '    }' || line === '    },') {
        yield { kind: 'step', json: `${step}}` }
        step = ''
      } else step += line.trimStart()
    }
  }
  yield { kind: 'suite', json: suite }
}
