export type Settings = {
  /** Address of the payment service. */
  paymentUrl: string
  /** Address of the exchange rate service. */
  ratesUrl: string
  /** How long the shop waits for the payment service, in ms. */
  paymentTimeout: number
  /** How long a login is valid, in ms. */
  sessionLife: number
  sessionKey: string
}

/** Reads the settings from the environment, with defaults for development. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  return {
    paymentUrl: env['PAYMENT_URL'] ?? 'https://pay.example',
    ratesUrl: env['RATES_URL'] ?? 'http://rates.example',
    paymentTimeout: Number(env['PAYMENT_TIMEOUT'] ?? 200),
    sessionLife: Number(env['SESSION_LIFE'] ?? 3_600_000),
    sessionKey: env['SESSION_KEY'] ?? 'development',
  }
}
