/** How environment variables start that are variables of the suites of flow-test-engine: `FLOW_TEST_BASE_URL` is `base_url`. */
export const ENV_PREFIX = 'FLOW_TEST_'
