/**
 * Shows that the worker's thread is alive: a count in shared memory goes up every 100 ms while its event loop turns. It
 * can be read while the thread is blocked, and does not keep the thread alive.
 */
export function startPulse(beats: Int32Array): void {
  setInterval(() => Atomics.add(beats, 0, 1), 100).unref()
}
