import { expect, test } from 'vitest'
import { explainBadName } from './explain-bad-name.ts'

test.each(['a.png', 'up/a b.json', '.hidden', 'a..b', '…'])(
  '%j is the name of a file below a folder',
  (name) => {
    expect(explainBadName(name)).toBeUndefined()
  },
)

test.each(['', ' ', '/a', 'a//b', 'a/', 'a/ /b', '\\a', '..', 'a/../b', './a', 'C:a', 'a*', 'a\0', 'a\n'])(
  '%j is not',
  (name) => {
    expect(explainBadName(name)).toBe(
      `\`${name}\` is not the name of a file below the folder: write names with \`/\` between them, without \`..\`, a drive or a \`/\` at the start`,
    )
  },
)
