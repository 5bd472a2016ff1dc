import { diffLines } from 'diff'

/** Unchanged lines that are shown around a change. */
const around = 3

type Line = { sign: ' ' | '-' | '+' | '⋯'; text: string }

/** What differs between two texts, line by line, as long as that can be told soon. */
export function Diff({ expected, received }: { expected: string; received: string }) {
  const lines = compare(expected, received)
  if (!lines) return null
  return (
    <pre class="diff" tabIndex={0} aria-label="Difference between expected and received">
      {lines.map(({ sign, text }) => (
        <span class={sign === '-' ? 'minus' : sign === '+' ? 'plus' : ''}>{`${sign} ${text}`}</span>
      ))}
    </pre>
  )
}

function compare(expected: string, received: string): Line[] | undefined {
  const changes = diffLines(`${expected}\n`, `${received}\n`, { timeout: 500 })
  return changes?.flatMap(({ added, removed, value }, index): Line[] => {
    const lines = value.replace(/\n$/, '').split('\n')
    const sign = added ? '+' : removed ? '-' : ' '
    const toLine = (text: string): Line => ({ sign, text })
    const left = lines.length - 2 * around
    if (sign !== ' ' || left <= 1) return lines.map(toLine)
    const before = index === 0 ? [] : lines.slice(0, around)
    const after = index === changes.length - 1 ? [] : lines.slice(-around)
    const gap: Line = { sign: '⋯', text: `${lines.length - before.length - after.length} equal lines` }
    return [before.map(toLine), gap, after.map(toLine)].flat()
  })
}
