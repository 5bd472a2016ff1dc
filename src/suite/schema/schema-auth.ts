import * as v from 'valibot'
import { isJsonObject } from '../../json.ts'
import { ownSchemeNames } from '../../request/auth/schemes.ts'
import { anyJson, closed, documented, either, oneOf, optional, text } from './schema-parts.ts'

/** What stands for a name or a secret in `auth` and `tls`. */
export const credential = v.union([v.string(), v.number(), v.boolean()], 'a text')

const basic = closed({
  username: documented(credential, 'Who.'),
  password: documented(credential, 'In clear text; best as "{{$env.NAME}}".'),
})

const apiKey = closed({
  in: optional(oneOf('header', 'query', 'cookie'), 'Where it is sent; default header.'),
  name: documented(text, 'Of the header, parameter or cookie.'),
  value: documented(credential, 'The key; best as "{{$env.NAME}}".'),
})

const oauth2 = closed({
  token_url: documented(text, 'Absolute, or relative to `base_url`.'),
  client_id: documented(credential, 'Name of the client.'),
  client_secret: optional(credential, 'Its secret; best as "{{$env.NAME}}".'),
  client_auth: optional(oneOf('header', 'body'), 'Where the client says who it is; default header.'),
  grant: optional(oneOf('client_credentials', 'password', 'refresh_token'), 'Default client_credentials.'),
  scope: optional(credential, 'What the token is for, words with spaces between.'),
  audience: optional(credential, 'Who the token is for, if the server asks.'),
  username: optional(credential, 'For the grant `password`.'),
  password: optional(credential, 'For the grant `password`.'),
  refresh_token: optional(credential, 'For the grant `refresh_token`.'),
})

const aws = closed({
  region: documented(text, 'Such as eu-central-1.'),
  service: documented(text, 'Such as execute-api or s3.'),
  access_key_id: documented(credential, 'Id of the key.'),
  secret_access_key: documented(credential, 'The key; best as "{{$env.NAME}}".'),
  session_token: optional(credential, 'If the keys are temporary.'),
})

const schemes = {
  basic: optional(basic, 'HTTP Basic credentials (RFC 7617): {username: ann, password: "{{p}}"}.'),
  bearer: optional(v.string('a text'), 'Bearer token (RFC 6750): "{{token}}".'),
  api_key: optional(
    apiKey,
    'A key in a header (default), the query or a cookie: {in: header, name: x-key, value: "{{key}}"}.',
  ),
  digest: optional(basic, 'HTTP Digest credentials (RFC 7616): {username: ann, password: "{{p}}"}.'),
  oauth2: optional(
    oauth2,
    'A token from an OAuth 2.0 server, fetched once and renewed in time: {token_url: /token, client_id: me, client_secret: "{{$env.SECRET}}"}.',
  ),
  aws: optional(
    aws,
    'AWS Signature Version 4: {region: eu-central-1, service: execute-api, access_key_id: "{{$env.ID}}", secret_access_key: "{{$env.KEY}}"}.',
  ),
}

/** Takes schemes of the user's own for known, in the place of those before. */
export function allowSchemes(names: readonly string[]): void {
  const known: Record<string, v.GenericSchema> = schemes
  for (const name of Object.keys(known)) if (!ownSchemeNames.includes(name)) delete known[name]
  for (const name of names) known[name] = v.optional(anyJson)
}

/** One scheme with its settings, or `none`. */
export const authSchema = documented(
  either(
    [
      v.literal('none', '`none`'),
      v.pipe(closed(schemes), v.metadata({ oneOf: ownSchemeNames.map((name) => ({ required: [name] })) })),
    ],
    '`none` or a map with one of basic, bearer, api_key, digest, oauth2, aws',
    (input) => (input === 'none' ? 0 : isJsonObject(input) ? 1 : -1),
  ),
  'Credentials: `none`, or one of basic, bearer, api_key, digest, oauth2, aws.',
)
