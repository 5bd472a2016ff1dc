import { Problem } from './problem.ts'
import type { Settings } from './settings.ts'

/** A request to the payment service. The amount is in euro cents. */
export type Charge = { amount: number; reference: string; card: string }

const ATTEMPTS = 3

/** Charges a card. Resolves to the id of the payment. Tries again if the service itself fails. */
export async function charge(order: Charge, settings: Settings): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const response = await post(order, settings)
    if (response.status >= 500 && attempt < ATTEMPTS) continue
    if (response.status === 402) throw new Problem(402, 'payment_declined', await readReason(response))
    if (!response.ok) throw new Problem(502, 'payment_failed', `The payment service says ${response.status}.`)
    const { id } = (await response.json()) as { id: string }
    return id
  }
}

async function post(order: Charge, { paymentUrl, paymentTimeout }: Settings): Promise<Response> {
  try {
    return await fetch(`${paymentUrl}/v1/charges`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': order.reference },
      body: JSON.stringify({ ...order, currency: 'EUR' }),
      signal: AbortSignal.timeout(paymentTimeout),
    })
  } catch (error) {
    if ((error as Error).name === 'TimeoutError')
      throw new Problem(504, 'payment_timeout', 'The payment service did not answer in time.')
    throw new Problem(502, 'payment_unreachable', 'The payment service cannot be reached.')
  }
}

async function readReason(response: Response): Promise<string> {
  const { reason } = (await response.json()) as { reason: string }
  return `The card was declined: ${reason}.`
}
