/** An error like the one of a connection that the other side reset. */
export function createReset(reason: string): Error {
  return Object.assign(new Error(`read ECONNRESET (${reason})`), {
    code: 'ECONNRESET',
    errno: -104,
    syscall: 'read',
  })
}

/** An error like the one of a port where nobody listens. */
export function createRefusal(reason: string): Error {
  return Object.assign(new Error(`connect ECONNREFUSED (${reason})`), {
    code: 'ECONNREFUSED',
    errno: -111,
    syscall: 'connect',
  })
}
