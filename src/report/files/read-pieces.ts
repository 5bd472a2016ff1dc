import { createReadStream, readFileSync, statSync } from 'node:fs'

// Opening a stream, or going through the thread pool, costs more than reading a usual file at once.
const readAtOnce = 8_388_608

/** Reads a text file piece by piece, each made of whole lines without the last line feed; serialised JSON has none inside a value. */
export async function* readPieces(path: string): AsyncGenerator<string> {
  if (statSync(path).size <= readAtOnce) {
    yield readFileSync(path, 'utf8').replace(/\n$/, '')
    return
  }
  let rest = ''
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1_048_576 })) {
    const text = `${rest}${chunk as string}`
    const end = text.lastIndexOf('\n')
    rest = text.slice(end + 1)
    if (end !== -1) yield text.slice(0, end)
  }
  if (rest !== '') yield rest
}
