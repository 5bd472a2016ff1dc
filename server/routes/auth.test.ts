import { createHash } from 'node:crypto'
import { describe, expect, test } from '../fixture.ts'

const AUTHORIZED = { authenticated: true, user: 'ann' }

describe('authentication', () => {
  test('basic, hidden and bearer', async ({ echo }) => {
    await echo.request.get('/basic-auth/ann/s3cret').auth('ann', 's3cret').expect(200, AUTHORIZED)
    await echo.request.get('/basic-auth/ann/s3cret').auth('ann', 'wrong').expect(401, '')
    const padded = { authorization: `BASIC   ${btoa('ann:s3cret')}` }
    expect((await fetch(`${echo.url}/basic-auth/ann/s3cret`, { headers: padded })).status).toBe(200)
    await echo.request.get('/hidden-basic-auth/ann/s3cret').auth('ann', 's3cret').expect(200, AUTHORIZED)
    await echo.request.get('/hidden-basic-auth/ann/s3cret').expect(404)
    await echo.request
      .get('/bearer')
      .set('Authorization', 'Bearer t')
      .expect(200, { authenticated: true, token: 't' })
    await echo.request.get('/bearer').expect(401).expect('www-authenticate', 'Bearer')
  })

  test.for(['MD5', 'SHA-256', 'SHA-512'])('digest with %s', async (algorithm, { echo }) => {
    const path = `/digest-auth/auth/ann/s3cret/${algorithm}`
    const challenge = (await echo.request.get(path).expect(401)).headers['www-authenticate'] ?? ''
    const read = (name: string): string => new RegExp(`${name}="?([^",]+)`).exec(challenge)?.[1] ?? ''
    const hash = (text: string): string =>
      createHash(algorithm.replace('-', '').toLowerCase()).update(text).digest('hex')
    const authorize = (password: string): string => {
      const secret = hash(`ann:${read('realm')}:${password}`)
      const response = hash(`${secret}:${read('nonce')}:00000001:c,1:auth:${hash(`GET:${path}`)}`)
      return `Digest username="ann", realm="${read('realm')}", nonce="${read('nonce')}", uri="${path}", algorithm=${algorithm}, qop=auth, nc=00000001, cnonce="c,1", response="${response}"`
    }
    expect(read('algorithm')).toBe(algorithm)
    expect(
      await (await fetch(echo.url + path, { headers: { authorization: authorize('s3cret') } })).json(),
    ).toEqual(AUTHORIZED)
    expect((await fetch(echo.url + path, { headers: { authorization: authorize('wrong') } })).status).toBe(
      401,
    )
  })

  test('digest with a name in UTF-8', async ({ echo }) => {
    const hash = (text: string): string => createHash('md5').update(text).digest('hex')
    const path = '/digest-auth/auth/%C3%BC/%C3%9F'
    const response = hash(`${hash('ü:suitecase:ß')}:n:${hash(`GET:${path}`)}`)
    const credentials = `username="ü", realm="suitecase", nonce="n", uri="${path}", response="${response}"`
    const authorization = Buffer.from(`Digest ${credentials}`).toString('latin1')
    const answer = await fetch(echo.url + path, { headers: { authorization } })
    expect(await answer.json()).toEqual({ authenticated: true, user: 'ü' })
  })

  test.for([
    ['ann', 'suitecase', '/digest-auth/auth/ann/s3cret', 200],
    ['bob', 'suitecase', '/digest-auth/auth/ann/s3cret', 401],
    ['ann', 'other', '/digest-auth/auth/ann/s3cret', 401],
    ['ann', 'suitecase', '/get', 401],
  ] as const)('digest as %s in %s for %s: %i', async ([user, realm, uri, status], { echo }) => {
    const hash = (text: string): string => createHash('md5').update(text).digest('hex')
    const path = '/digest-auth/auth/ann/s3cret'
    const response = hash(`${hash(`${user}:suitecase:s3cret`)}:n:${hash(`GET:${path}`)}`)
    const authorization = `Digest username="${user}", realm="${realm}", nonce="n", uri="${uri}", response="${response}"`
    expect((await fetch(echo.url + path, { headers: { authorization } })).status).toBe(status)
  })
})

describe('cookies', () => {
  test('are shown, set and deleted', async ({ echo }) => {
    // Not with the agent, which keeps cookies of its own.
    const shown = await fetch(`${echo.url}/cookies`, {
      headers: { cookie: 'a=1; b="x"; a=2; __proto__=p; flag' },
    })
    expect(await shown.json()).toEqual({
      cookies: JSON.parse('{"__proto__":"p","a":"1","b":"x","flag":""}'),
    })
    const set = await echo.request
      .get('/cookies/set?a=1&b=x')
      .redirects(0)
      .expect(302)
      .expect('location', '/cookies')
    expect(set.headers['set-cookie']).toEqual(['a=1; Path=/', 'b=x; Path=/'])
    const deleted = await echo.request.get('/cookies/delete?a').redirects(0).expect(302)
    expect(deleted.headers['set-cookie']).toEqual([
      'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/',
    ])
    for (const query of ['a%0d%0ab=1', 'a=x%2Cy', 'a=%C3%A4'])
      expect(
        (await echo.request.get(`/cookies/set?${query}`).expect(400)).headers['location'],
      ).toBeUndefined()
  })
})
