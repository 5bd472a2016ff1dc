/** Folder in which the thread keeps the code that it has compiled. */
export const COMPILED = 'suitecase-compiled'

/** The sign of life of the worker's thread: a count in shared memory that goes up while its event loop turns, and can be read when it stands still. */
export class Pulse {
  readonly buffer: SharedArrayBuffer
  #beats: Int32Array

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.buffer = buffer
    this.#beats = new Int32Array(buffer)
  }

  /** Counts up every 100 ms, without keeping the thread alive. */
  start(): void {
    setInterval(() => Atomics.add(this.#beats, 0, 1), 100).unref()
  }

  read(): number {
    return Atomics.load(this.#beats, 0)
  }
}
