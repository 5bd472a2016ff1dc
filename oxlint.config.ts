import { defineConfig, type OxlintOverride } from 'oxlint'

/** The rooms of src, in the order of CONTRIBUTING: each imports only from those before it. */
const rooms = [
  'text',
  'path',
  'interpolation',
  'secrets',
  'request',
  'assertion',
  'capture',
  'scenario',
  'mock',
  'suite',
  'run',
  'report',
]

type Pattern = { group?: string[]; regex?: string; message: string }

/** Forbids imports in files. If several overrides match a file, only the last one counts. */
function forbid(files: string, patterns: Pattern[]): OxlintOverride {
  return { files: [files], rules: { 'no-restricted-imports': ['error', { patterns }] } }
}

const outsideOfSrc: Pattern[] = [
  { group: ['vitest', 'vitest/*', 'vite', 'koa', '@koa/*'], message: 'src knows neither Vitest nor Koa.' },
  { group: ['**/plugin/**', '**/server/**'], message: 'src imports neither plugin nor server.' },
]

function forbidBelow(room: string, index: number): OxlintOverride {
  const regex = String.raw`^(?:\.\./)+(?:${rooms.slice(index + 1).join('|')})/`
  const message = 'Rooms of src import only from those above them; see CONTRIBUTING.'
  return forbid(`src/${room}/**`, [...outsideOfSrc, { regex, message }])
}

const outsideOfPlugin: Pattern[] = [
  { group: ['koa', '@koa/*'], message: 'Only server imports Koa.' },
  {
    regex: String.raw`^(?:\.\./)+server/`,
    message: 'plugin imports server only to start it.',
  },
]

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'oxc', 'promise', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true },
  rules: {
    'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
    'max-params': ['error', { max: 3 }],
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'no-await-in-loop': 'off',
    'typescript/no-floating-promises': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'no-shadow': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'unicorn/require-post-message-target-origin': 'off',
  },
  overrides: [
    forbid('src/**', [
      ...outsideOfSrc,
      {
        regex: String.raw`^\./(?:${rooms.slice(1).join('|')})/`,
        message: 'What every room needs imports from no room but text.',
      },
    ]),
    ...rooms.slice(0, -1).map(forbidBelow),
    forbid('plugin/**', outsideOfPlugin),
    forbid('plugin/contract/**', [
      ...outsideOfPlugin,
      {
        regex: String.raw`^(?:\.\./)+(?:main|worker)/`,
        message: 'The contract knows neither the main process nor the worker.',
      },
    ]),
    forbid('plugin/main/**', [
      ...outsideOfPlugin,
      {
        regex: String.raw`^(?:\.\./)+worker/`,
        message: 'The main process shares only the contract with the worker.',
      },
    ]),
    forbid('plugin/worker/**', [
      ...outsideOfPlugin,
      {
        regex: String.raw`^(?:\.\./)+main/`,
        message: 'The worker shares only the contract with the main process.',
      },
    ]),
    forbid('server/**', [
      { group: ['**/src/**', '**/plugin/**'], message: 'server imports neither src nor plugin.' },
    ]),
    {
      files: ['**/*.test.ts', '**/fixtures/*.ts', 'plugin/testing/**'],
      rules: {
        'no-restricted-imports': 'off',
        'max-lines': 'off',
        'no-control-regex': 'off',
        'no-sparse-arrays': 'off',
        'typescript/no-extraneous-class': 'off',
        'typescript/no-implied-eval': 'off',
        'typescript/unbound-method': 'off',
        'unicorn/consistent-function-scoping': 'off',
        'unicorn/no-thenable': 'off',
        'unicorn/no-useless-spread': 'off',
      },
    },
  ],
  ignorePatterns: ['dist', '**/node_modules', 'coverage'],
})
