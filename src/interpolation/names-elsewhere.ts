/** Names from other tools and from JavaScript outside expressions, with what to write here instead. */
const NAMES: readonly (readonly [name: RegExp, hint: string])[] = [
  [/^\$?(?:guid|(?:new|random_?)?uuid)$/i, 'Write `{{js: crypto.randomUUID()}}`.'],
  [
    /^\$?(?:(?:iso_?)?timestamp|date_?time|now)$/i,
    'Write `{{js: new Date().toISOString()}}`, `{{js: Date.now()}}` for milliseconds, or `{{js: Math.floor(Date.now() / 1000)}}` for seconds.',
  ],
  [/^\$?rand(?:om)?_?int(?:eger)?$/i, 'Write `{{js: crypto.randomInt(0, 1001)}}` for 0 to 1000.'],
  [
    /^(?:\$random\w*|\$?faker)$/i,
    'Write `{{$faker.…}}` as in `{{$faker.internet.email}}`; it needs the package `@faker-js/faker`.',
  ],
  [
    /^base_?url$/i,
    'A url that begins with `/` starts at the `base_url`. Elsewhere, read a variable that both use.',
  ],
  [/^(?:process|env|\$processenv|\$dotenv|\$[A-Z][A-Z\d_]+)$/, 'An environment variable is `{{$env.NAME}}`.'],
  [/^(?:Buffer|require|fetch)$/, 'Write your own function (option `extend`).'],
  [
    /^(?:length|contains|starts_with|ends_with|sort_by|not_null|to_number|to_string)$/,
    'That is a function of JMESPath, and this is JavaScript: write `body.items.length`, `text.includes(part)`, `Number(text)`.',
  ],
  [/^app_url$/, 'Name the module of the application in the option `app`, or write an address instead.'],
  [
    /^(?:pm|postman|insomnia)$/,
    'Write a variable as `name`. A condition reads `status_code`, `headers` and `body`, and is true or false: `body.id === 1`.',
  ],
  [
    /^(?:steps|response|resp?)$/,
    'Capture it in that step, `capture: { id: body.id }`, and write `{{id}}`. A condition reads `status_code`, `headers` and `body`.',
  ],
]

/** What to write instead of a name that other tools have; undefined for any other name. */
export function findElsewhere(name: string): string | undefined {
  return NAMES.find(([known]) => known.test(name))?.[1]
}
