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
      `\`${name}\` is not a valid file name inside the folder: use a relative path with \`/\`, without \`..\`, a drive letter or a leading \`/\``,
    )
  },
)
