/** An error like the one of a connection that the other side reset. */
export function createReset(reason: string): Error {
  return createError({ code: 'ECONNRESET', errno: -104, syscall: 'read' }, reason)
}

/** An error like the one of a port where nobody listens. */
export function createRefusal(reason: string): Error {
  return createError({ code: 'ECONNREFUSED', errno: -111, syscall: 'connect' }, reason)
}

function createError(fields: { code: string; errno: number; syscall: string }, reason: string): Error {
  return Object.assign(new Error(`${fields.syscall} ${fields.code} (${reason})`), fields)
}
