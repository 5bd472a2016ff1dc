/**
 * Turns a condition of flow-test-engine into JavaScript: names in braces (`{{env}} === 'x'`) become names, and literals of
 * JMESPath (`` `true` ``) values. Anything that is true in JavaScript's sense skips.
 */
export function adaptSkip(written: string): string {
  const bare = written
    .replaceAll(/\{\{\s*(?:js:)?\s*(.*?)\s*\}\}/gs, '($1)')
    .replaceAll(/`([^`]*)`/g, readLiteral)
  return `!!(${bare})`
}

function readLiteral(whole: string, literal: string): string {
  try {
    return JSON.stringify(JSON.parse(literal))
  } catch (error) {
    if (error instanceof SyntaxError) return whole
    throw error
  }
}
