import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { RuleMemory } from '../memory.ts'
import { type Fill, type MemorySpace, seededKey } from '../references/seed.ts'

export type SeedingDeps = {
  readonly spaces: readonly MemorySpace[]
  readonly memory: Pick<RuleMemory, 'state' | 'drop'>
  readonly clickhouse: Pick<ClickHouse, 'rows'>
  /** Resolves once all that was appended before is in ClickHouse. */
  readonly caughtUp: () => Promise<void>
}

/**
 * References of a schema find rows that were there before them: their parts of the memory are filled from ClickHouse where
 * they are not there, in the first turn that comes, and are kept with it.
 */
export function createSeeding({ spaces, memory, clickhouse, caughtUp }: SeedingDeps) {
  const lacking = () => spaces.filter(({ name }) => memory.state.value(name, seededKey) === undefined)
  let isWhole: boolean | undefined
  let fills: readonly Fill[] = []

  return {
    isDone(): boolean {
      isWhole ??= lacking().length === 0
      return isWhole
    },

    /** Reads what is lacking. No event of the schema is taken meanwhile. */
    async read(): Promise<void> {
      const read: Fill[] = []
      const empty = lacking()
      if (empty.length > 0) await caughtUp()
      for (const space of empty) {
        await memory.drop(space.name)
        for await (const fill of space.seed(clickhouse)) read.push(fill)
      }
      fills = read
    },

    /** Puts it into the memory, in a turn that is open. */
    fill(): void {
      for (const fill of fills) fill(memory.state)
    },

    /** The turn's append is under way. */
    done(kept: Promise<unknown>): void {
      if (isWhole) return
      fills = []
      isWhole = true
      kept.catch(() => {
        isWhole = undefined
      })
    },

    /** Parts of the memory were taken away. */
    recheck(): void {
      isWhole = undefined
    },
  }
}

export type Seeding = ReturnType<typeof createSeeding>
