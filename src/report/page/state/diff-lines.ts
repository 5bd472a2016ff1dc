/** A line of a comparison: in both texts, only expected, or only received. */
export type DiffLine = { sign: ' ' | '-' | '+'; text: string }

const mostLines = 1000

/** Compares two texts line by line (longest common subsequence); longer texts than 1,000 lines are shown one after the other. */
export function diffLines(expected: string, actual: string): DiffLine[] {
  const left = expected.split('\n')
  const right = actual.split('\n')
  if (left.length > mostLines || right.length > mostLines) return [...mark(left, '-'), ...mark(right, '+')]
  const table = countCommon(left, right)
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) {
      lines.push({ sign: ' ', text: left[i] as string })
      i += 1
      j += 1
    } else if (at(table, i + 1, j) >= at(table, i, j + 1)) {
      lines.push({ sign: '-', text: left[i] as string })
      i += 1
    } else {
      lines.push({ sign: '+', text: right[j] as string })
      j += 1
    }
  }
  return [...lines, ...mark(left.slice(i), '-'), ...mark(right.slice(j), '+')]
}

function mark(lines: readonly string[], sign: DiffLine['sign']): DiffLine[] {
  return lines.map((text) => ({ sign, text }))
}

function at(table: readonly Uint16Array[], i: number, j: number): number {
  return table[i]?.[j] as number
}

/** `table[i][j]`: how many lines the rests from `i` and from `j` have in common. */
function countCommon(left: readonly string[], right: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1))
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const row = table[i] as Uint16Array
      row[j] =
        left[i] === right[j]
          ? at(table, i + 1, j + 1) + 1
          : Math.max(at(table, i + 1, j), at(table, i, j + 1))
    }
  }
  return table
}
