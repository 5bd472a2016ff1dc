/** An error like that of a connection reset by the other side. */
export function createReset(reason: string): Error {
  return createError({ code: 'ECONNRESET', errno: -104, syscall: 'read' }, reason)
}

/** An error like that of a port where nothing listens. */
export function createRefusal(reason: string): Error {
  return createError({ code: 'ECONNREFUSED', errno: -111, syscall: 'connect' }, reason)
}

function createError(fields: { code: string; errno: number; syscall: string }, reason: string): Error {
  return Object.assign(new Error(`${fields.syscall} ${fields.code} (${reason})`), fields)
}
