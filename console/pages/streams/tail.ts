/** The latest events of a stream, as many as there is room for; paused, what comes waits in as much room again. */

export type TailEvent = {
  readonly id: string
  /** The event as JSON. It is parsed once it is shown. */
  readonly data: string
  /** Counts the events that came, from 1. */
  readonly number: number
}

type Came = { readonly id: string; readonly data: string }

export function createTail(capacity: number) {
  let shown = createRing(capacity)
  let waiting = createRing(capacity)
  let isPaused = false
  let numSeen = 0
  let numWaiting = 0

  return {
    push(events: readonly Came[]): void {
      // Of a long batch only the last ones stay anyway.
      const skipped = Math.max(0, events.length - capacity)
      numSeen += skipped
      if (isPaused) numWaiting += events.length
      const into = isPaused ? waiting : shown
      for (let at = skipped; at < events.length; at++) {
        const event = events[at]
        if (event) into.push({ id: event.id, data: event.data, number: ++numSeen })
      }
    },
    pause(): void {
      isPaused = true
    },
    resume(): void {
      for (const event of waiting.oldestFirst()) shown.push(event)
      waiting = createRing(capacity)
      isPaused = false
      numWaiting = 0
    },
    clear(): void {
      shown = createRing(capacity)
      waiting = createRing(capacity)
      numSeen = 0
      numWaiting = 0
    },
    /** Newest first. */
    rows: (): readonly TailEvent[] => shown.newestFirst(),
    get numSeen() {
      return numSeen
    },
    get numWaiting() {
      return numWaiting
    },
    get isPaused() {
      return isPaused
    },
  }
}

export type Tail = ReturnType<typeof createTail>

function createRing(capacity: number) {
  const items: TailEvent[] = []
  let next = 0
  return {
    push(event: TailEvent): void {
      items[next] = event
      next = (next + 1) % capacity
    },
    newestFirst: (): TailEvent[] =>
      items
        .map((_, age) => items[(next - 1 - age + 2 * items.length) % items.length])
        .filter((each) => each !== undefined),
    oldestFirst: (): TailEvent[] => [...items.slice(next), ...items.slice(0, next)],
  }
}
