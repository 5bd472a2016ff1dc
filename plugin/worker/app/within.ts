/** Waits for a promise, at most `limit` ms; rejects with an error of this message after that. What the promise does later is ignored. */
export async function within<Value>(promise: Promise<Value>, limit: number, message: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), limit)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
