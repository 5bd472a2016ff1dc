import { createHmac } from 'node:crypto'
import { defineExtension } from 'suitecase/extend'

/** What the suites of this folder can use in addition to the built-in functions and operators. */
export default defineExtension({
  functions: {
    sign: (text: string) => `sha256=${createHmac('sha256', 'key').update(text).digest('hex')}`,
  },
  operators: {
    money: {
      about: 'An amount in euros.',
      operand: 'number',
      takes: ['string'],
      judge: (actual: string, operand: number) => actual === `${operand.toFixed(2)} EUR`,
    },
  },
})
