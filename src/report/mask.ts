/** What stands in place of a secret in every output. */
export const mask = '[redacted]'
