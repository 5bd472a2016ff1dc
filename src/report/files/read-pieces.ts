import { closeSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

const size = 262_144

/** Reads a text file piece by piece, so that a large one is not held whole. Synchronously: there are many small files, and the way of each through the thread pool costs more than its reading. */
export function* readPieces(path: string): Generator<string> {
  const file = openSync(path, 'r')
  const decoder = new StringDecoder('utf8')
  const buffer = Buffer.allocUnsafeSlow(size)
  try {
    for (
      let length = readSync(file, buffer, 0, size, null);
      length > 0;
      length = readSync(file, buffer, 0, size, null)
    )
      yield decoder.write(buffer.subarray(0, length))
  } finally {
    closeSync(file)
  }
}
