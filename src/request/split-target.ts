/** Splits an absolute URL into its origin and what goes into the request line. */
export function splitTarget(url: string): [origin: string, target: string] {
  const slash = url.indexOf('/', url.indexOf('://') + 3)
  return slash === -1 ? [url, '/'] : [url.slice(0, slash), url.slice(slash)]
}
