import * as v from 'valibot'
import { builtInSchemeNames, type builtInSchemes } from '../../request/auth/schemes.ts'
import * as s from './schema-parts.ts'

/** A name or secret in `auth` and `tls`. */
export const credential = v.union([v.pipe(v.string(), s.filled), v.number(), v.boolean()], 'a string')

const basic = s.closed({
  username: s.documented(credential, 'The user name.'),
  password: s.documented(credential, 'The password in clear text, best written as "{{$env.NAME}}".'),
})

const apiKey = s.closed({
  in: s.optional(s.oneOf('header', 'query', 'cookie'), 'Where the key is sent; default: header.'),
  name: s.documented(s.text, 'Name of the header, parameter or cookie.'),
  value: s.documented(credential, 'The secret key, best written as "{{$env.NAME}}".'),
})

const oauth2 = s.closed({
  token_url: s.documented(s.text, 'URL of the token endpoint: absolute, or relative to `base_url`.'),
  client_id: s.documented(credential, 'Id of the client.'),
  client_secret: s.optional(credential, 'Secret of the client, best written as "{{$env.NAME}}".'),
  client_auth: s.optional(s.oneOf('header', 'body'), 'Where id and secret are sent; default: header.'),
  grant: s.optional(
    s.oneOf('client_credentials', 'password', 'refresh_token'),
    'OAuth 2.0 grant type; default: client_credentials.',
  ),
  scope: s.optional(credential, 'Requested scopes, separated by spaces.'),
  audience: s.optional(credential, 'Audience of the token, if the server requires one.'),
  username: s.optional(credential, 'Only for the grant `password`.'),
  password: s.optional(credential, 'Only for the grant `password`.'),
  refresh_token: s.optional(credential, 'Only for the grant `refresh_token`.'),
})

const aws = s.closed({
  region: s.documented(s.text, 'AWS region, such as eu-central-1.'),
  service: s.documented(s.text, 'AWS service, such as execute-api or s3.'),
  access_key_id: s.documented(credential, 'Id of the access key.'),
  secret_access_key: s.documented(credential, 'The secret key, best written as "{{$env.NAME}}".'),
  session_token: s.optional(credential, 'Session token of temporary credentials.'),
})

const schemes = {
  basic: s.optional(basic, 'HTTP Basic credentials (RFC 7617): {username: ann, password: "{{p}}"}.'),
  bearer: s.optional(v.pipe(v.string('a string'), s.filled), 'Bearer token (RFC 6750): "{{token}}".'),
  api_key: s.optional(apiKey, 'An API key in a header (default), a query parameter or a cookie.'),
  digest: s.optional(basic, 'HTTP Digest credentials (RFC 7616): {username: ann, password: "{{p}}"}.'),
  oauth2: s.optional(oauth2, 'A token from an OAuth 2.0 server, fetched once and renewed before it expires.'),
  aws: s.optional(aws, 'AWS Signature Version 4.'),
} satisfies Record<keyof typeof builtInSchemes, v.GenericSchema>
const known = builtInSchemeNames.join(', ')

/** Allows the user's own schemes; replaces those of an earlier call. */
export function allowSchemes(names: readonly string[]): void {
  const table: Record<string, v.GenericSchema> = schemes
  for (const name of Object.keys(table)) if (!builtInSchemeNames.includes(name)) delete table[name]
  for (const name of names) table[name] = v.optional(s.anyJson)
}

/** One scheme with its settings, or `none`. */
export const authSchema = s.documented(
  s.either(
    [
      v.literal('none', '`none`'),
      v.pipe(s.closed(schemes), v.metadata({ oneOf: s.requireEach(builtInSchemeNames) })),
    ],
    `\`none\` or a map with one of ${known}`,
  ),
  `Credentials: \`none\`, or one of ${known}.`,
)
