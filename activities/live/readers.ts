import { fault } from '../../base/faults.ts'

/** A reader of a live stream, as long as it has a place. */
export type Reader = {
  /** Aborted once it is to end: its client has gone, its key is no longer good, or the service stops. */
  readonly signal: AbortSignal
  /** Gives its place back; may be called several times. */
  leave(): void
}

/** The client of a stream, as far as it may end before the stream does. */
export type Client = {
  /** Aborted when it goes away. */
  readonly gone: AbortSignal
  /** Whether its key is still good. */
  readonly isGood: () => boolean
}

/** Keys are looked at so often: within a second of its end a key reads nothing more. */
const look_ms = 400

/** The places of all live readers of this process, `most` in all. */
export function createReaders(most: number) {
  const reading = new Map<Reader, { readonly isGood: () => boolean; readonly end: () => void }>()
  let isClosed = false
  const looking = setInterval(() => {
    for (const { isGood, end } of reading.values()) if (!isGood()) end()
  }, look_ms).unref()

  return {
    count: (): number => reading.size,

    /** Fault `limited` where all places are taken. `isThere`: whether the thing is still there that is read. */
    enter({ gone, isGood }: Client, isThere: () => boolean = () => true): Reader {
      if (isClosed) throw fault('unavailable', 'the service stops; try again', { retryAfter: 1 })
      if (reading.size >= most) {
        throw fault('limited', `${most} live streams are open already (MAX_LIVE); try again`, {
          retryAfter: 5,
          limit: 'MAX_LIVE',
        })
      }
      const ending = new AbortController()
      const end = (): void => ending.abort()
      const reader: Reader = {
        signal: ending.signal,
        leave(): void {
          gone.removeEventListener('abort', leave)
          reading.delete(reader)
          end()
        },
      }
      const { leave } = reader
      gone.addEventListener('abort', leave)
      reading.set(reader, { isGood: () => isGood() && isThere(), end })
      if (gone.aborted) leave()
      return reader
    },

    /** Ends all streams: each after a whole event. */
    close(): void {
      isClosed = true
      clearInterval(looking)
      for (const { end } of reading.values()) end()
    },
  }
}

export type Readers = ReturnType<typeof createReaders>
