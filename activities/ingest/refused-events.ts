type RefusedEvent = {
  /** Microseconds since 1970. */
  readonly ts: number
  /** Of the batch, from 1. */
  readonly line?: number
  readonly error: string
  readonly text: string
}

/** Refused events of a stream that are listed. */
export const maxEvents = 200
const maxBytes = 4 * 1024
/** Over all streams, in characters. */
const maxCharacters = 16 * 1024 * 1024
const maxStreams = 1_000

type OfStream = { readonly of: object; count: number; characters: number; events: RefusedEvent[] }

/** The latest events of each stream that this process refused, so that their sender can look at them. */
export function createRefusedEvents(now_us: () => number = () => Date.now() * 1000) {
  const since = now_us()
  /** No two events are of one time: a page of them goes on behind it. */
  let last = 0
  /** The stream that was written last is the last one. */
  const streams = new Map<string, OfStream>()
  let characters = 0

  function drop(refused: OfStream, events: number): void {
    for (const { text, error } of refused.events.splice(0, events)) {
      refused.characters -= text.length + error.length
      characters -= text.length + error.length
    }
  }

  function makeRoom(): void {
    for (const refused of streams.values()) {
      if (characters <= maxCharacters) return
      drop(refused, refused.events.length)
    }
  }

  function forget(stream: string): void {
    const refused = streams.get(stream)
    if (refused) drop(refused, refused.events.length)
  }

  function remove(stream: string): void {
    forget(stream)
    streams.delete(stream)
  }

  /** The events of the stream, which becomes the one that was written last. */
  function written(stream: string, of: object): OfStream {
    const before = streams.get(stream)
    if (before?.of !== of) remove(stream)
    const refused = before?.of === of ? before : { of, count: 0, characters: 0, events: [] }
    streams.delete(stream)
    streams.set(stream, refused)
    const [oldest] = streams
    if (streams.size > maxStreams && oldest) remove(oldest[0])
    return refused
  }

  return {
    /**
     * `stream` is `S.ST`, and `of` stands for its schema until that is deleted: another one of that name shows nothing of it. The
     * event stands in `body` from `start` to `end`.
     */
    add(stream: string, of: object, error: string, body: Buffer, { number, start, end }: RefusedPlace): void {
      const refused = written(stream, of)
      const text = body.toString('utf8', start, Math.min(end, start + maxBytes))
      const reason = error.slice(0, maxBytes)
      refused.count++
      last = Math.max(now_us(), last + 1)
      refused.events.push({ ts: last, ...(number !== undefined && { line: number }), error: reason, text })
      refused.characters += text.length + reason.length
      characters += text.length + reason.length
      if (refused.events.length > maxEvents) drop(refused, 1)
      makeRoom()
    },

    /** Counts events of a stream that are not listed. */
    count(stream: string, of: object, events: number): void {
      written(stream, of).count += events
    },

    /** Any of them may be of the person whose events are erased. They stay counted. */
    forget,

    /** At most `limit`, newest first, and how many there were since the process began. */
    list(stream: string, of: object, limit: number) {
      const refused = streams.get(stream)
      const { count, events } = refused?.of === of ? refused : { count: 0, events: [] }
      return { refused: limit === 0 ? [] : events.slice(-limit).reverse(), num_refused: count, since }
    },
  }
}

/** A line of a batch, or a whole body. */
export type RefusedPlace = { readonly number?: number; readonly start: number; readonly end: number }
export type RefusedEvents = ReturnType<typeof createRefusedEvents>
