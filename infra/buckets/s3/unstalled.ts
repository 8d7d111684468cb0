import { Readable } from 'node:stream'

/**
 * The bytes of a stream, which fails once it has brought none for `patience_ms` while its reader waited for some. The
 * time that the reader takes does not count.
 */
export function unstalled(stream: Readable, patience_ms: number, failure: () => Error): Readable {
  const bytes = Readable.from(pieces(stream, patience_ms, failure), { objectMode: false })
  // A generator that was never asked for a piece does not end its source.
  return bytes.once('close', () => stream.destroy())
}

async function* pieces(stream: Readable, patience_ms: number, failure: () => Error): AsyncGenerator<Buffer> {
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    timer = setTimeout(() => stream.destroy(failure()), patience_ms)
  }
  try {
    wait()
    for await (const piece of stream) {
      clearTimeout(timer)
      yield piece
      wait()
    }
  } finally {
    clearTimeout(timer)
  }
}
