import { buildSuite } from 'suitecase'
import { http, HttpResponse } from 'msw'
import { z } from 'zod'

const Order = z.object({
  id: z.uuid(),
  user: z.literal('ada'),
  total: z.int().positive(),
  payment: z.string(),
  lines: z.array(z.object({ product: z.string(), quantity: z.int() })).min(1),
})

// The types of each step include what earlier steps captured, and `body` has the shape of its schema.
buildSuite({
  suite_name: 'Checkout in TypeScript',
  redact: ['token'],
  mocks: [
    http.post('https://pay.example/v1/charges', async ({ request }) => {
      const charge = (await request.json()) as { amount: number }
      return HttpResponse.json({ id: `ch_${charge.amount}` }, { status: 201 })
    }),
  ],
})
  .step({
    name: 'Log in',
    request: { method: 'POST', url: '/sessions', body: { user: 'ada', password: 'lovelace' } },
    assert: { status_code: 201, body: z.object({ token: z.string() }) },
    capture: { token: ({ body }) => body.token },
  })
  .step({
    name: 'Fill the cart',
    request: {
      method: 'POST',
      url: '/cart',
      auth: { bearer: ({ variables }) => variables.token },
      body: { product: 'sencha', quantity: 2 },
    },
    assert: { status_code: 200, body: z.object({ total: z.int() }) },
    capture: { total: ({ body }) => body.total },
  })
  .step({
    name: 'Order and pay',
    request: {
      method: 'POST',
      url: '/orders',
      auth: { bearer: ({ variables }) => variables.token },
      body: { card: '4242' },
    },
    assert: {
      status_code: 201,
      body: Order,
      'body.payment': ({ variables }) => `ch_${variables.total}`,
      custom: [
        {
          name: 'the cart is what is paid',
          condition: ({ body, variables }) => body.total === variables.total,
        },
      ],
    },
  })
