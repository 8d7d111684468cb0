import { fault } from '../../base/faults.ts'
import type { Exclusively } from '../../base/mutex.ts'
import type { Catalogue } from '../../infra/catalogue/catalogue.ts'

export type OrderOwnersDeps = {
  /** This process. */
  readonly id: string
  /** Whether other processes may be on the same ClickHouse. */
  readonly isShared: boolean
  readonly living: () => Promise<ReadonlySet<string>>
  readonly catalogue: Pick<Catalogue, 'orderOwner' | 'putOrderOwner'>
  readonly exclusively: Exclusively
}

/** A process relies on an answer for this time; one that stood still asks anew before it takes events. */
const reliance_ms = 2_000

/**
 * Of several processes with logs of their own, one owns the order of a schema with rules: its log has all events of it. Another
 * process becomes the owner once that one is gone.
 */
export function createOrderOwners({ id, isShared, living, catalogue, exclusively }: OrderOwnersDeps) {
  const known_ms = new Map<string, number>()

  const isKnown = (schema: string): boolean =>
    !isShared || performance.now() - (known_ms.get(schema) ?? Number.NEGATIVE_INFINITY) < reliance_ms

  async function claim(schema: string, forget: () => Promise<void>): Promise<void> {
    const owner = await catalogue.orderOwner(schema)
    if (owner === id) return
    if (owner !== undefined && (await living()).has(owner)) {
      throw fault(
        'conflict',
        `another process keeps the order of ${schema}, whose rules need one: send events of ${schema} to that process, or set KAFKA_BROKERS`,
      )
    }
    // The other one has taken events meanwhile: this process may remember those before them, from an earlier time.
    if (owner !== undefined) await forget()
    await catalogue.putOrderOwner(schema, id)
  }

  return {
    /** Whether this process owns the order of the schema, as far as is known without asking. */
    isKnown,
    /**
     * Throws a fault `conflict` where another living process is the owner. Where the owner is gone, `forget` drops what
     * this process remembers of the schema before this process becomes the owner.
     */
    async own(schema: string, forget: () => Promise<void>): Promise<void> {
      if (isKnown(schema)) return
      const asked_ms = performance.now()
      if ((await catalogue.orderOwner(schema)) !== id) await exclusively(() => claim(schema, forget))
      known_ms.set(schema, asked_ms)
    },
    /** The schema is gone. */
    forget: (schema: string): unknown => known_ms.delete(schema),
  }
}

export type OrderOwners = ReturnType<typeof createOrderOwners>
