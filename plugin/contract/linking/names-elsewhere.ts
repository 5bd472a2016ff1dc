/** What other tools, JavaScript at large and the answer in it are called, with what is written here. */
const NAMES: readonly (readonly [name: RegExp, hint: string])[] = [
  [/^\$(?:guid|uuid|randomuuid)$/i, 'Write `{{js: crypto.randomUUID()}}`.'],
  [/^\$(?:timestamp|unixtime)$/i, 'Write `{{js: Math.floor(Date.now() / 1000)}}`.'],
  [/^\$(?:isotimestamp|datetime|date|now)$/i, 'Write `{{js: new Date().toISOString()}}`.'],
  [/^\$randomint$/i, 'Write `{{js: crypto.randomInt(0, 1000)}}`.'],
  [/^\$random/i, 'Write `{{$faker.…}}`, for example `{{$faker.internet.email}}`.'],
  [/^(?:process|env|ENV|\$processenv|\$dotenv)$/i, 'An environment variable is `{{$env.NAME}}`.'],
  [/^Buffer$/, 'Write `btoa(text)` or `atob(text)`, or a function of your own (option `extend`).'],
  [
    /^(?:require|module|fetch|URL|URLSearchParams|TextEncoder|structuredClone)$/,
    'Write a function of your own (option `extend`).',
  ],
  [/^(?:response|resp?|pm|bru)$/, 'The answer is `status_code`, `headers` and `body`.'],
  [/^(?:request|req)$/, 'What was sent is known from the variables.'],
]

/** What is meant by a name that other tools have. */
export function findElsewhere(name: string): string | undefined {
  return NAMES.find(([known]) => known.test(name))?.[1]
}
