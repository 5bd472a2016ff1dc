/** Names from other tools and from JavaScript outside expressions, with what to write here instead. */
const NAMES: readonly (readonly [name: RegExp, hint: string])[] = [
  [/^\$?(?:guid|(?:new|random_?)?uuid)$/i, 'Write `{{js: crypto.randomUUID()}}`.'],
  [/^\$?(?:timestamp|unix_?time)$/i, 'Write `{{js: Math.floor(Date.now() / 1000)}}`.'],
  [
    /^\$?(?:iso_?timestamp|(?:local|new)?date(?:_?time)?|now|today)$/i,
    'Write `{{js: new Date().toISOString()}}`.',
  ],
  [/^\$?rand(?:om)?_?int(?:eger)?$/i, 'Write `{{js: crypto.randomInt(1, 11)}}` for a number from 1 to 10.'],
  [/^(?:\$random|\$?faker$)/i, 'Write `{{$faker.…}}`, for example `{{$faker.internet.email}}`.'],
  [/^(?:process|env|\$processenv|\$dotenv)$/i, 'An environment variable is `{{$env.NAME}}`.'],
  [/^\$[A-Z][A-Z\d_]+$/, 'An environment variable is `{{$env.NAME}}`.'],
  [/^Buffer$/, 'Write `btoa(text)` or `atob(text)`, or your own function (option `extend`).'],
  [
    /^(?:upper|lower|trim|url_?encode|(?:base64|b64)_?encode)(?:case)?$/i,
    'Write JavaScript: `text.toUpperCase()`, `text.trim()`, `encodeURIComponent(text)`, `btoa(text)`.',
  ],
  [
    /^(?:require|module|fetch|URL|URLSearchParams|TextEncoder|structuredClone)$/,
    'Write your own function (option `extend`).',
  ],
  [
    /^(?:length|contains|starts_with|ends_with|sort_by|not_null|to_number|to_string)$/,
    'That is a function of JMESPath, and this is JavaScript: write `body.items.length`, `text.includes(part)`, `Number(text)`.',
  ],
  [/^app_url$/, 'Name the module of the application in the option `app`, or write an address instead.'],
  [/^steps$/, 'Capture it in that step, `capture: { id: body.id }`, and write `{{id}}`.'],
  [/^(?:yes|no|on|off)$/i, 'YAML reads `yes`, `no`, `on` and `off` as strings: write `true` or `false`.'],
  [
    /^(?:response|resp?|pm|bru|_)$/,
    'A variable is its name alone, `{{id}}`; the response is `status_code`, `headers` and `body`.',
  ],
]

/** What to write instead of a name that other tools have; undefined for any other name. */
export function findElsewhere(name: string): string | undefined {
  return NAMES.find(([known]) => known.test(name))?.[1]
}
