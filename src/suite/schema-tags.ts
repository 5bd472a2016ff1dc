import * as v from 'valibot'

/** A tag as Vitest takes it: it also stands in expressions such as `--tags-filter "auth and not slow"`. */
export const tagSchema = v.pipe(
  v.string('a tag (a text)'),
  v.regex(/^[^\s!()*|&]+$/, 'a tag without spaces and `!`, `(`, `)`, `*`, `|`, `&`'),
  v.check((tag) => !/^(?:and|or|not)$/i.test(tag), 'a tag other than `and`, `or` and `not`'),
)
