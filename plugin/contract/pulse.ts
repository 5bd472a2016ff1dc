/**
 * The sign of life of the worker's thread: a count in shared memory that goes up every 100 ms while its event loop turns, and can
 * be read when it stands still. It does not keep the thread alive.
 */
export function startPulse(beats: Int32Array): void {
  setInterval(() => Atomics.add(beats, 0, 1), 100).unref()
}
