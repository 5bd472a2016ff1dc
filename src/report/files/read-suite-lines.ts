import { readPieces } from './read-pieces.ts'

/** One step of a result file, or, as the last, the suite without its steps; each as JSON in one line. */
export type SuiteLine = { kind: 'step' | 'suite'; json: string }

const stepsBegin = '\n  "steps_results": [\n'
/** Only a step ends with a brace behind four spaces; what is in it is indented further. */
const stepEnd = '\n    }'

/** Reads a result file piece by piece, as `serialiseSuite` wrote it. */
export async function* readSuiteLines(path: string): AsyncGenerator<SuiteLine> {
  let suite = ''
  let text = ''
  let inSteps = false
  for await (const piece of readPieces(path)) {
    text = `${text}\n${piece}`
    let at = 0
    const begin = suite === '' ? text.indexOf(stepsBegin) : -1
    if (begin !== -1) {
      suite = joinLines(text.slice(0, begin))
      // The line feed before the first step stays with it.
      at = begin + stepsBegin.length - 1
      inSteps = true
    }
    for (let next = text.indexOf(stepEnd, at); inSteps && next !== -1; next = text.indexOf(stepEnd, at)) {
      const end = next + stepEnd.length
      yield { kind: 'step', json: joinLines(text.slice(at, end)) }
      inSteps = text[end] === ','
      at = inSteps ? end + 1 : end
    }
    text = text.slice(at)
  }
  yield { kind: 'suite', json: suite + joinLines(text).replace(/^\],/, '') }
}

/** Takes the layout away: a line feed in serialised JSON is never part of a value. */
function joinLines(json: string): string {
  return json.replaceAll(/\n */g, '')
}
