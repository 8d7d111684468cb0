import { setImmediate } from 'node:timers/promises'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { RuleMemory, TurnChanges } from '../../../infra/memory/memory.ts'
import { type Fill, type IsOwn, type MemorySpace, ownsNone, seededKey } from '../references/seed.ts'
import { seededBy } from './seed-state.ts'

export type SeedingDeps = {
  readonly spaces: readonly MemorySpace[]
  readonly memory: Pick<RuleMemory, 'state' | 'drop' | 'put'>
  readonly clickhouse: Pick<ClickHouse, 'rows'>
  /** Resolves once all that was appended before is in ClickHouse. */
  readonly caughtUp: () => Promise<void>
  /** Commits changes of the memory that are of no event. */
  readonly commit: (changes: TurnChanges) => Promise<unknown>
  /** The last place in the log that was given out. */
  readonly last: () => number
  /** Which keys of a space this memory is for, where there are others beside it; undefined: all. */
  readonly ownIn?: ((space: MemorySpace) => IsOwn | undefined) | undefined
}

/**
 * References of a schema find rows that were there before them: their parts of the memory are filled from ClickHouse where
 * they are not there, before the first event that comes takes its turn. There may be millions of keys: they come in
 * commits of their own, one after the other, and none of them is held. The mark that a space is whole comes last; a
 * process that ends before fills it anew.
 */
export function createSeeding({ spaces, memory, clickhouse, caughtUp, commit, last, ownIn }: SeedingDeps) {
  const lacking = () => spaces.filter(({ name }) => memory.state.value(name, seededKey) === undefined)
  let isWhole: boolean | undefined

  function fillsOf(space: MemorySpace): AsyncIterable<Fill> | Iterable<Fill> {
    const isOwn = ownIn?.(space)
    if (isOwn === ownsNone) return [(state) => state.set(space.name, seededKey, true)]
    return space.seed(clickhouse, isOwn)
  }

  return {
    isDone(): boolean {
      isWhole ??= lacking().length === 0
      return isWhole
    },

    /** Fills the spaces of the memory that were never filled. No event of the schema has a turn meanwhile. */
    async fill(): Promise<void> {
      const empty = lacking()
      if (empty.length > 0) await caughtUp()
      for (const space of empty) {
        await memory.drop(space.name)
        for await (const fill of fillsOf(space)) {
          await commit(memory.put(seededBy(fill, last())))
          // Other requests have their turn.
          await setImmediate()
        }
      }
      isWhole = undefined
    },

    /** Parts of the memory were taken away. */
    recheck(): void {
      isWhole = undefined
    },
  }
}

export type Seeding = ReturnType<typeof createSeeding>
