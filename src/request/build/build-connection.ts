import type { SecureContextOptions } from 'node:tls'
import type { JsonObject } from '../../json.ts'
import { messageOf } from '../../errors.ts'
import { RequestProblem, readText } from '../request-problem.ts'
import type { ConnectionSettings, TlsSettings } from '../exchange.ts'
import { parseProxy } from '../transport/proxy.ts'
import { readPart } from './body-files.ts'
import type { BuildContext, ConnectionInput } from './request-input.ts'

export const tlsFiles = ['cert', 'key', 'pfx', 'ca'] as const

/** Reads the connection settings of a request and the files of its `tls`; undefined if it has none. */
export function buildConnection(
  { insecure, http2, proxy, tls }: ConnectionInput,
  context: BuildContext,
): ConnectionSettings | Promise<ConnectionSettings> | undefined {
  const settings: ConnectionSettings = {}
  if (insecure !== undefined) settings.insecure = insecure
  if (http2 !== undefined) settings.http2 = http2
  if (proxy !== undefined) settings.proxy = proxy === false ? false : readText(proxy, 'proxy')
  if (settings.proxy) parseProxy(settings.proxy)
  if (tls !== undefined) return readTls(tls, context).then((read) => ({ ...settings, tls: read }))
  return Object.keys(settings).length === 0 ? undefined : settings
}

async function readTls(tls: JsonObject, context: BuildContext): Promise<TlsSettings> {
  const settings: TlsSettings = {}
  for (const name of tlsFiles) {
    const path = tls[name]
    if (path !== undefined) settings[name] = await readPart(readText(path, `tls.${name}`), context)
  }
  const { passphrase, server_name: serverName } = tls
  if (passphrase !== undefined) settings.passphrase = readText(passphrase, 'tls.passphrase')
  if (serverName !== undefined) settings.serverName = readText(serverName, 'tls.server_name')
  checkTls(settings)
  return settings
}

/** Throws a RequestProblem for certificates and keys that OpenSSL cannot read or that do not match. */
export function checkTls(files: TlsSettings): void {
  const { cert, key, ca } = files
  if ((cert === undefined) !== (key === undefined))
    throw new RequestProblem(
      `Expected \`tls\` to have both \`cert\` and \`key\`, got only \`${cert === undefined ? 'key' : 'cert'}\``,
    )
  // Node accepts any text as `ca`, and then trusts no certificate at all.
  const isNone = ca !== undefined && !Buffer.from(ca).includes('CERTIFICATE-----')
  const { createSecureContext } = process.getBuiltinModule('node:tls')
  const reason = isNone
    ? '`ca` has no certificate'
    : messageOf(() => createSecureContext(files as SecureContextOptions))
  if (reason !== undefined)
    throw new RequestProblem(
      `The files of \`tls\` cannot be used: ${reason}. Expected PEM (\`pfx\`: PKCS #12), a key that belongs to the certificate, and its passphrase`,
    )
}
