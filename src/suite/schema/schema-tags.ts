import * as v from 'valibot'

/** A tag that Vitest takes. */
export const tagPattern: RegExp = /^[^\s!()*|&]+$/

/** A tag as Vitest takes it: it is also used in expressions such as `--tags-filter "auth and not slow"`. */
export const tagSchema = v.pipe(
  v.string('a tag (a text)'),
  v.regex(tagPattern, 'a tag without spaces and `!`, `(`, `)`, `*`, `|`, `&`'),
  v.check((tag) => !/^(?:and|or|not)$/i.test(tag), 'a tag other than `and`, `or` and `not`'),
  v.metadata({ not: { pattern: '^([aA][nN][dD]|[oO][rR]|[nN][oO][tT])$' } }),
)
