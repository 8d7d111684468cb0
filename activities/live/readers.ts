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
  /** The key or address by which it shares places with others. */
  readonly user: string
}

/** The share of all places that the streams of one key or address may have. */
const share = 3 / 4
/** Keys are looked at so often: within a second of its end a key reads nothing more. */
const look_ms = 400

type Reading = { readonly user: string; readonly isGood: () => boolean; readonly end: () => void }

/** The places of all live readers of this process, `max` in all. */
export function createReaders(max: number) {
  const reading = new Map<Reader, Reading>()
  const maxOfOne = Math.ceil(max * share)
  let isClosed = false
  const looking = setInterval(() => {
    for (const { isGood, end } of reading.values()) if (!isGood()) end()
  }, look_ms).unref()

  return {
    count: (): number => reading.size,

    /** Fault `limited` where all places are taken. `isThere`: whether the thing is still there that is read. */
    enter({ gone, isGood, user }: Client, isThere: () => boolean = () => true): Reader {
      if (isClosed) throw fault('unavailable', 'the service stops; try again', { retryAfter: 1 })
      if (reading.size >= max) throw full(`${max} live streams are open already (MAX_LIVE); try again`)
      const own = [...reading.values()].filter((each) => each.user === user).length
      if (own >= maxOfOne) {
        throw full(
          `${own} live streams of this key or address are open already, of ${max} in all (MAX_LIVE); try again`,
        )
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
      reading.set(reader, { user, isGood: () => isGood() && isThere(), end })
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

const full = (text: string) => fault('limited', text, { retryAfter: 5, limit: 'MAX_LIVE' })

export type Readers = ReturnType<typeof createReaders>
