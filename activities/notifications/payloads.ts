import type { Delivery } from './delivery/delivery.ts'
import type { LogStore } from './log-store.ts'

const maxBytes = 32 * 1024 * 1024

/** Payloads of sends: the newest in memory, for their first tries, the others in ClickHouse. */
export function createPayloads(store: Pick<LogStore, 'payload'>) {
  const held = new Map<number, string>()
  let bytes = 0

  return {
    keep(ts: number, payload: string): void {
      held.set(ts, payload)
      bytes += payload.length
      for (const [oldest, text] of held) {
        if (bytes <= maxBytes) return
        held.delete(oldest)
        bytes -= text.length
      }
    },
    of: async (delivery: Delivery): Promise<string | undefined> => held.get(delivery.ts) ?? store.payload(delivery),
  }
}

export type Payloads = ReturnType<typeof createPayloads>
