import * as v from 'valibot'
import { ownSchemeNames } from '../../request/auth/schemes.ts'
import * as s from './schema-parts.ts'

/** A name or secret in `auth` and `tls`. */
export const credential = v.union([v.string(), v.number(), v.boolean()], 'a text')

const basic = s.closed({
  username: s.documented(credential, 'Who.'),
  password: s.documented(credential, 'In clear text; best as "{{$env.NAME}}".'),
})

const apiKey = s.closed({
  in: s.optional(s.oneOf('header', 'query', 'cookie'), 'Where it is sent; default header.'),
  name: s.documented(s.text, 'Of the header, parameter or cookie.'),
  value: s.documented(credential, 'The key; best as "{{$env.NAME}}".'),
})

const oauth2 = s.closed({
  token_url: s.documented(s.text, 'Absolute, or relative to `base_url`.'),
  client_id: s.documented(credential, 'Name of the client.'),
  client_secret: s.optional(credential, 'Its secret; best as "{{$env.NAME}}".'),
  client_auth: s.optional(s.oneOf('header', 'body'), 'Where the client says who it is; default header.'),
  grant: s.optional(
    s.oneOf('client_credentials', 'password', 'refresh_token'),
    'Default client_credentials.',
  ),
  scope: s.optional(credential, 'What the token is for, words with spaces between.'),
  audience: s.optional(credential, 'Who the token is for, if the server asks.'),
  username: s.optional(credential, 'For the grant `password`.'),
  password: s.optional(credential, 'For the grant `password`.'),
  refresh_token: s.optional(credential, 'For the grant `refresh_token`.'),
})
// Which keys a grant needs is checked when the suite is loaded; editors are told which keys need a grant.
const grantKeys = {
  username: ['grant', 'password'],
  password: ['grant', 'username'],
  refresh_token: ['grant'],
}

const aws = s.closed({
  region: s.documented(s.text, 'Such as eu-central-1.'),
  service: s.documented(s.text, 'Such as execute-api or s3.'),
  access_key_id: s.documented(credential, 'Id of the key.'),
  secret_access_key: s.documented(credential, 'The key; best as "{{$env.NAME}}".'),
  session_token: s.optional(credential, 'If the keys are temporary.'),
})

const schemes = {
  basic: s.optional(basic, 'HTTP Basic credentials (RFC 7617): {username: ann, password: "{{p}}"}.'),
  bearer: s.optional(v.string('a text'), 'Bearer token (RFC 6750): "{{token}}".'),
  api_key: s.optional(apiKey, 'A key in a header (default), the query or a cookie.'),
  digest: s.optional(basic, 'HTTP Digest credentials (RFC 7616): {username: ann, password: "{{p}}"}.'),
  oauth2: s.optional(
    s.told(oauth2, { dependencies: grantKeys }),
    'A token from an OAuth 2.0 server, fetched once and renewed in time.',
  ),
  aws: s.optional(aws, 'AWS Signature Version 4.'),
}

/** Allows the user's own schemes; replaces those of an earlier call. */
export function allowSchemes(names: readonly string[]): void {
  const known: Record<string, v.GenericSchema> = schemes
  for (const name of Object.keys(known)) if (!ownSchemeNames.includes(name)) delete known[name]
  for (const name of names) known[name] = v.optional(s.anyJson)
}

/** One scheme with its settings, or `none`. */
export const authSchema = s.documented(
  s.either(
    [
      v.literal('none', '`none`'),
      v.pipe(s.closed(schemes), v.metadata({ oneOf: s.requireEach(ownSchemeNames) })),
    ],
    '`none` or a map with one of basic, bearer, api_key, digest, oauth2, aws',
  ),
  'Credentials: `none`, or one of basic, bearer, api_key, digest, oauth2, aws.',
)
