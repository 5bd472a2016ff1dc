import { connect } from 'node:net'

/** An HTTP answer as it stood on the wire. */
export interface RawAnswer {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  body: string
}

/**
 * Sends bytes over a new connection and returns all bytes that came back until the server closed it, or until nothing
 * came for `idle` milliseconds.
 */
export function exchangeBytes(port: number, bytes: string | Buffer, idle = 0): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    if (idle > 0) socket.setTimeout(idle, () => socket.destroy())
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.on('close', () => resolve(Buffer.concat(chunks)))
  })
}

/** Takes an answer apart; the body is what follows the head. */
export function parseAnswer(bytes: Buffer): RawAnswer {
  const text = bytes.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(end + 4),
  }
}

/** Sends one request and returns its answer; the connection is closed after it. */
export async function request(port: number, head: string, body: string | Buffer = ''): Promise<RawAnswer> {
  const bytes = Buffer.concat([
    Buffer.from(`${head}\r\nConnection: close\r\n\r\n`, 'latin1'),
    Buffer.from(body),
  ])
  return parseAnswer(await exchangeBytes(port, bytes))
}
