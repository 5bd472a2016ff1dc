import http from 'node:http'
import { Problem } from './problem.ts'

/** Asks the exchange rate service how much one euro is worth in another currency. */
export function fetchRate(ratesUrl: string, currency: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const unavailable = (): void => reject(new Problem(502, 'no_rate', `There is no rate for ${currency}.`))
    const request = http.get(`${ratesUrl}/EUR/${encodeURIComponent(currency)}`, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        const rate = Number(text)
        if (response.statusCode === 200 && rate > 0) resolve(rate)
        else unavailable()
      })
    })
    request.on('error', unavailable)
  })
}
