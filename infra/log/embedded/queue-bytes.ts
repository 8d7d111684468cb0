import { fault } from '../../../base/faults.ts'

/** The share of the log for all failing queues together (ClickHouse refuses their events), while ClickHouse takes others. */
const failingShare = 0.5
const othersFed_ms = 600_000

/** The bytes of lines that wait for ClickHouse, by queue, and the room that is left for more. */
export function createQueueBytes(maxBytes: number) {
  const bytesOf = new Map<string, number>()
  let bytes = 0
  const failing = new Set<string>()
  /** Bytes of the queues that fail. */
  let failingBytes = 0
  /** The last two queues of which a batch was finished. */
  let fed: readonly { readonly queue: string; readonly at_ms: number }[] = []

  /** False means that ClickHouse is away: a failing queue may then fill the whole log. */
  const areOthersFed = (queue: string): boolean =>
    fed.some((each) => each.queue !== queue && performance.now() - each.at_ms < othersFed_ms)

  return {
    grow(queue: string, length: number): void {
      bytes += length
      if (failing.has(queue)) failingBytes += length
      bytesOf.set(queue, (bytesOf.get(queue) ?? 0) + length)
    },

    /** A batch of the queue was finished. */
    fed(queue: string): void {
      fed = [{ queue, at_ms: performance.now() }, ...fed.filter((each) => each.queue !== queue)].slice(0, 2)
    },

    /** ClickHouse refuses the events of the queue, or takes them again. */
    fails(queue: string, isFailing: boolean): void {
      if (failing.has(queue) === isFailing) return
      failingBytes += (isFailing ? 1 : -1) * (bytesOf.get(queue) ?? 0)
      if (isFailing) failing.add(queue)
      else failing.delete(queue)
    },

    forget: (queue: string): boolean => bytesOf.delete(queue),

    of: (queue: string): number => bytesOf.get(queue) ?? 0,
    all: (): number => bytes,
    /** Bytes of the queues that do not fail. */
    ofWell: (): number => bytes - failingBytes,

    /** Throws where `length` more bytes of a queue have no room beside the `uncommitted` ones. */
    need(queue: string, length: number, uncommitted: number): void {
      if (bytes + uncommitted + length > maxBytes) {
        throw fault('limited', `the log is full: ${bytes} bytes wait for ClickHouse`, {
          retryAfter: 1,
          limit: 'MAX_LOG_MB',
        })
      }
      if (failing.has(queue) && areOthersFed(queue) && failingBytes + uncommitted + length > maxBytes * failingShare) {
        throw fault(
          'limited',
          `ClickHouse takes no events of ${queue}, and ${failingBytes} bytes of such wait for it`,
          {
            retryAfter: 5,
            limit: 'MAX_LOG_MB',
          },
        )
      }
    },

    /** Why the log takes nothing, where it is full. */
    trouble: (uncommitted: number): string | undefined =>
      bytes + uncommitted >= maxBytes ? `the log is full: ${bytes} bytes wait for ClickHouse (MAX_LOG_MB)` : undefined,
  }
}

export type QueueBytes = ReturnType<typeof createQueueBytes>
