import { createSecretSearch, type SecretSearch } from '../../../src/secrets/secret-search.ts'

/** The secrets that the suites of this worker found: none of them shows those of another. */
export const known: SecretSearch = createSecretSearch()
