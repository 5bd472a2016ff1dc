import { readOtherNames } from '../../text/suggest.ts'

/** Names of our operators in other tools. No response is likely to have fields with these names. */
export const otherNames = readOtherNames({
  equals: 'eq equalto',
  'equals: null': 'isnull',
  not_equals: 'ne neq',
  greater_than: 'gt greater morethan',
  greater_than_or_equal: 'gte atleast',
  less_than: 'lt less',
  less_than_or_equal: 'lte atmost',
  pattern: 'matches regexp',
  type: 'typeof',
  each: 'every',
  unique: 'distinct',
  'notEmpty: false': 'isempty',
  'exists: false': 'notexists notexist',
  in: 'oneof',
  contains: 'includes containsall',
  any_of: 'containsany',
  same_items: 'anyorder unordered',
  schema: 'jsonschema',
})

/** The same with names that a response may well have as fields: told only where it has no such field. */
export const otherFields = {
  ...otherNames,
  ...readOtherNames({
    'exists: false': 'absent',
    'not_equals: null': 'notnull',
    equals: 'exact strict eql',
    greater_than_or_equal: 'min',
    less_than_or_equal: 'max',
    greater_than: 'above',
    less_than: 'below',
    contains: 'has',
    in: 'enum',
    type: 'format',
    'type: date': 'date',
    is_after: 'after',
    is_before: 'before',
    is_near: 'within',
    length: 'count size',
    sorted_by: 'sorted',
    each: 'all items',
    some: 'any',
  }),
}
