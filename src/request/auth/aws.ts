import { readSettings, type AuthScheme } from './auth-scheme.ts'

/** AWS Signature Version 4, made anew for each request. */
export const aws: AuthScheme = (settings) => {
  const { region, service, access_key_id, secret_access_key, session_token } = readSettings(settings, 'aws', {
    needed: ['region', 'service', 'access_key_id', 'secret_access_key'],
    optional: ['session_token'],
  })
  const written = ['authorization', 'x-amz-date', 'x-amz-content-sha256', 'x-amz-security-token']
  return {
    headers: written,
    async authorize(request) {
      const { AwsV4Signer } = await import('aws4fetch')
      const { method, url, headers, body } = request
      const signer = new AwsV4Signer({
        method,
        url,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        body: body === undefined ? null : new Uint8Array(body),
        accessKeyId: access_key_id,
        secretAccessKey: secret_access_key,
        ...(session_token !== undefined && { sessionToken: session_token }),
        region,
        service,
      })
      const signed = await signer.sign()
      const added = written.flatMap((name): [string, string][] => {
        const value = signed.headers.get(name)
        return value === null ? [] : [[name, value]]
      })
      return { ...request, headers: [...headers, ...added] }
    },
  }
}
