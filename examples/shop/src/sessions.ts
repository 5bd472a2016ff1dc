import { createHmac, timingSafeEqual } from 'node:crypto'
import { Problem } from './problem.ts'
import type { Settings } from './settings.ts'

const passwords = new Map([
  ['ada', 'lovelace'],
  ['grace', 'hopper'],
])

/** A session for a user with the right password. */
export function login(credentials: { user?: unknown; password?: unknown }, settings: Settings): Session {
  const { user, password } = credentials
  if (typeof user !== 'string' || typeof password !== 'string')
    throw new Problem(400, 'bad_login', '`user` and `password` must be texts.')
  if (passwords.get(user) !== password)
    throw new Problem(401, 'wrong_login', 'The user or the password is wrong.')
  return createSession(user, settings)
}

/** What a client needs to prove its identity. */
export type Session = { token: string; expires_at: string }

/** Creates a session that begins now. */
export function createSession(user: string, { sessionLife, sessionKey }: Settings): Session {
  const expires = Date.now() + sessionLife
  const payload = Buffer.from(JSON.stringify({ user, expires })).toString('base64url')
  return { token: `${payload}.${sign(payload, sessionKey)}`, expires_at: new Date(expires).toISOString() }
}

/** The user of a request. Throws a problem if the token is missing, forged or expired. */
export function readUser(authorization: string, { sessionKey }: Settings): string {
  const [, payload = '', signature = ''] = /^Bearer (\S+)\.(\S+)$/.exec(authorization) ?? []
  const expected = Buffer.from(sign(payload, sessionKey))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Problem(401, 'no_session', 'Log in first.')
  const { user, expires } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    user: string
    expires: number
  }
  if (expires <= Date.now()) throw new Problem(401, 'session_expired', 'Your session has expired.')
  return user
}

function sign(payload: string, key: string): string {
  return createHmac('sha256', key).update(payload).digest('base64url')
}
