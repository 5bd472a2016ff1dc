/** Steps that can be told of at once: more than any run has in flight. */
const SLOTS = 1024

/** Folder in which the thread keeps the code that it has compiled. */
export const COMPILED = 'suitecase-compiled'

/**
 * The sign of life of the worker's thread in shared memory: a count that goes up while its event loop turns, and the
 * steps that run just now. It can be read when the thread stands still, and when it is gone.
 */
export class Pulse {
  readonly buffer: SharedArrayBuffer
  #beats: Int32Array
  #running: Int32Array

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(4 * (1 + 2 * SLOTS))) {
    this.buffer = buffer
    this.#beats = new Int32Array(buffer, 0, 1)
    this.#running = new Int32Array(buffer, 4)
  }

  /** Counts up every 100 ms, without keeping the thread alive. */
  start(): void {
    setInterval(() => Atomics.add(this.#beats, 0, 1), 100).unref()
  }

  read(): number {
    return Atomics.load(this.#beats, 0)
  }

  /** Notes that a step runs: `file` is the place of its file in the run, `test` its place in the file. The function it returns takes the note back. */
  enter(file: number, test: number): () => void {
    for (let at = 0; at < this.#running.length; at += 2)
      if (this.#running[at] === 0) {
        this.#running[at + 1] = test
        this.#running[at] = file + 1
        return () => void (this.#running[at] = 0)
      }
    return () => {}
  }

  /** The steps that run just now. */
  list(): { file: number; test: number }[] {
    const running: { file: number; test: number }[] = []
    for (let at = 0; at < this.#running.length; at += 2) {
      const file = this.#running[at]
      if (file) running.push({ file: file - 1, test: this.#running[at + 1] as number })
    }
    return running
  }
}
