import type { Random } from '../../support/random/random.ts'

/** The values that a key may hold: the one that the last answered write left, and those of each unanswered write since. */
type Cell<Value> = { possible: Value[]; isBusy: boolean }

/** Keys of which each has one write under way at most, so that what it may hold is known. Absent is undefined. */
export function createCells<Value>(keys: readonly string[]) {
  const cells = new Map<string, Cell<Value | undefined>>(
    keys.map((key) => [key, { possible: [undefined], isBusy: false }]),
  )
  return {
    cells,
    /** Runs `write` on a key that nothing else writes to; nothing where all are written to. */
    async onFree(random: Random, write: (key: string, cell: Cell<Value | undefined>) => Promise<void>): Promise<void> {
      const free = [...cells].filter(([, { isBusy }]) => !isBusy)
      if (free.length === 0) return
      const [key, cell] = random.pick(free)
      cell.isBusy = true
      await write(key, cell).finally(() => {
        cell.isBusy = false
      })
    },
  }
}
