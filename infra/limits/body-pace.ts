import { Fault } from '../../base/faults.ts'
import type { BodyHold } from './body-budget.ts'

/** Min bytes that a body must bring in each second, or it loses its room to the requests that wait for it. */
const slowestWanted = 16 * 1024
const look_ms = 1_000

/** A request whose body comes. */
export type Coming = {
  readonly socket: { readonly bytesRead: number }
  readonly readableLength: number
  readonly complete: boolean
  destroy(): unknown
}

export class RoomLost extends Fault {
  constructor() {
    const message = 'the body stood still while other requests waited for its room (MAX_BODIES_MB); send it in one go'
    super('limited', message, { retryAfter: 2, limit: 'MAX_BODIES_MB' })
  }
}

/**
 * Looks once a second how a body gets on. After `most_s` its connection is cut. A body that hardly moves loses its room
 * where other requests wait for it, and `lost` rejects: a handful of silent clients would keep all others waiting.
 */
export function watchPace(
  body: Coming,
  most_s: number,
  hold: Pick<BodyHold, 'isWanted' | 'close'>,
): { lost: Promise<never>; end(): void } {
  let seconds = 0
  let seen = body.socket.bytesRead
  let lose: (error: RoomLost) => void
  const lost = new Promise<never>((_, reject) => {
    lose = reject
  })
  const timer = setInterval(() => {
    if (++seconds > most_s) body.destroy()
    const moved = body.socket.bytesRead - seen
    seen += moved
    // Bytes that have come and are not read yet wait for Weir, not for the client.
    const isSlow = moved < slowestWanted && body.readableLength === 0 && !body.complete
    if (!isSlow || !hold.isWanted()) return
    hold.close()
    lose(new RoomLost())
  }, look_ms)
  return { lost, end: () => clearInterval(timer) }
}
