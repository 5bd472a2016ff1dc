/** Writes a duration for people: `0.42 ms`, `8.3 ms`, `142 ms`, `1.25 s`, `2 min 5 s`. */
export function formatMs(ms: number): string {
  if (ms < 1) return `${Number(ms.toFixed(2))} ms`
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_995) return `${Number((ms / 1000).toFixed(2))} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
