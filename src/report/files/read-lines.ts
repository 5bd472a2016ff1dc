import { createReadStream } from 'node:fs'

/** Reads a text file line by line, where only `\n` ends a line: `node:readline` would also split at U+2028, which JSON strings may hold. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 262_144 })) {
    const lines = `${rest}${chunk as string}`.split('\n')
    rest = lines.pop() as string
    yield* lines
  }
  if (rest !== '') yield rest
}
