import { fault } from '../../base/faults.ts'
import type { Exclusively } from '../../base/mutex.ts'
import type { Catalogue } from '../../infra/catalogue/catalogue.ts'

export type KeeperDeps = {
  /** This process. */
  readonly id: string
  /** Whether other processes may be on the same ClickHouse. */
  readonly isShared: boolean
  readonly living: () => Promise<ReadonlySet<string>>
  readonly catalogue: Pick<Catalogue, 'rulesKeeper' | 'putRulesKeeper'>
  readonly exclusively: Exclusively
}

/** A process relies on an answer for this time; one that stood still asks anew before it takes events. */
const reliance_ms = 2_000

/**
 * Of several processes with logs of their own, one keeps a schema with rules: its log has the order of the events. Another
 * takes it over once that one is gone.
 */
export function createKeepers({ id, isShared, living, catalogue, exclusively }: KeeperDeps) {
  const known_ms = new Map<string, number>()

  const isKnown = (schema: string): boolean =>
    !isShared || performance.now() - (known_ms.get(schema) ?? Number.NEGATIVE_INFINITY) < reliance_ms

  async function claim(schema: string, forget: () => Promise<void>): Promise<void> {
    const keeper = await catalogue.rulesKeeper(schema)
    if (keeper === id) return
    if (keeper !== undefined && (await living()).has(keeper)) {
      throw fault(
        'conflict',
        `another process keeps the order of ${schema}, whose rules need one: send events of ${schema} to that process, or set KAFKA_BROKERS`,
      )
    }
    // The other one has taken events meanwhile: this process may remember those before them, from an earlier time.
    if (keeper !== undefined) await forget()
    await catalogue.putRulesKeeper(schema, id)
  }

  return {
    /** Whether this process keeps the schema, as far as is known without asking. */
    isKnown,
    /**
     * Throws a fault `conflict` where another living process keeps the schema. Where one did that is gone, `forget` forgets what
     * this process remembers of it before it counts as the keeper.
     */
    async keep(schema: string, forget: () => Promise<void>): Promise<void> {
      if (isKnown(schema)) return
      const asked_ms = performance.now()
      if ((await catalogue.rulesKeeper(schema)) !== id) await exclusively(() => claim(schema, forget))
      known_ms.set(schema, asked_ms)
    },
    /** The schema is gone. */
    forget: (schema: string): unknown => known_ms.delete(schema),
  }
}

export type Keepers = ReturnType<typeof createKeepers>
