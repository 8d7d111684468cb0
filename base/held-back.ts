/** The beginning of an answer, held back so that a failure within it is answered with its own status. */
export type HeldBack = {
  readonly begin: readonly Uint8Array[]
  readonly isAll: boolean
  /** The rest of the answer. */
  readonly output: AsyncIterator<Uint8Array>
}

/** Reads an answer until it has `bytes`, or has ended. */
export async function holdBack(answer: AsyncIterable<Uint8Array>, bytes: number): Promise<HeldBack> {
  const output = answer[Symbol.asyncIterator]()
  const begin: Uint8Array[] = []
  let held = 0
  while (held < bytes) {
    const next = await output.next()
    if (next.done) return { begin, isAll: true, output }
    begin.push(next.value)
    held += next.value.length
  }
  return { begin, isAll: false, output }
}

/** The whole answer, its begin first. */
export async function* outputOf({ begin, output }: HeldBack): AsyncGenerator<Uint8Array> {
  try {
    yield* begin
    for (let next = await output.next(); !next.done; next = await output.next()) yield next.value
  } finally {
    await output.return?.()
  }
}
