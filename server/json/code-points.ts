/** Orders two strings by Unicode code point, as Python sorts keys; JavaScript's own order is by UTF-16 unit. */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left === right) continue
    if (left < 0xd800 || right < 0xd800) return left - right
    const start = index > 0 && isHighSurrogate(a.charCodeAt(index - 1)) ? index - 1 : index
    return (a.codePointAt(start) ?? 0) - (b.codePointAt(start) ?? 0)
  }
  return a.length - b.length
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
