/** What a path can start with: the fields of the response, and `variables` in conditions. */
export const pathRoots: readonly string[] = [
  'status_code',
  'headers',
  'body',
  'response_time_ms',
  'duration_ms',
  'size_bytes',
  'request',
  'variables',
]
