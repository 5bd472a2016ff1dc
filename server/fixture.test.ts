import { describe, expect, test } from './fixture.ts'

describe('the echo fixture', () => {
  test('answers requests of its supertest agent', async ({ echo }) => {
    const answer = await echo.request.get('/get?a=1').expect(200)
    expect(answer.body).toMatchObject({ args: { a: '1' }, url: `${echo.url}/get?a=1` })
  })

  test('has a url for other clients', async ({ echo }) => {
    const answer = await fetch(`${echo.url}/anything/x`, { method: 'PUT', body: '{"b":1.0,"a":2}' })
    expect(await answer.text()).toContain('"json": {\n    "a": 2,\n    "b": 1.0\n  }')
  })
})
