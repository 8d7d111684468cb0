/**
 * Hands the items of a source to `add`, and yields when what was added is due: `add` answers that it is full, or its
 * first item has waited for `wait_ms`. The last items are left to the caller. Ends with the reason of the signal, also
 * while the source gives nothing; such a source is closed once it gives its next item.
 */
export async function* gather<T>(
  source: AsyncIterable<T>,
  add: (item: T) => boolean,
  wait_ms: number,
  signal: AbortSignal,
): AsyncGenerator<void> {
  const items = source[Symbol.asyncIterator]()
  /** An error that comes while nothing waits for it is thrown when it is waited for. */
  const following = () => {
    const promise = items.next()
    promise.catch(() => {})
    return promise
  }
  let next = following()
  let timer: ReturnType<typeof setTimeout> | undefined
  let wake = () => {}
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  try {
    for (;;) {
      // One for each yield: every race leaves a trace at a promise until that settles.
      const due = new Promise<undefined>((resolve) => {
        wake = () => resolve(undefined)
      })
      for (let isFull = false; !isFull; ) {
        signal.throwIfAborted()
        const step = await Promise.race([next, due])
        signal.throwIfAborted()
        if (step === undefined) break
        if (step.done) return
        next = following()
        isFull = add(step.value)
        timer ??= setTimeout(wake, wait_ms)
      }
      clearTimeout(timer)
      timer = undefined
      yield
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    Promise.resolve(items.return?.()).catch(() => {})
  }
}
