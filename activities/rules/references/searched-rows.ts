import type { RuleState } from '../../../infra/memory/state.ts'
import { isPast, type RuleEvent } from '../rule-event.ts'
import { createRowBlocks, mayHave, type RowBounds, type RowTest, withRow } from './row-bounds.ts'

/** Rows that are remembered of a key. */
export const maxRows = 10_000
/** Of a space without keys: the greatest time of its rows that are not remembered any more. No key's text begins so. */
export const passedKey = 'passed'
/** Of a key: the bounds of its rows that are not remembered any more. */
export const passedKeyOf = (key: string): string => `${passedKey}:${key}`

export type SearchedRowsOptions = {
  readonly space: string
  readonly window_us: number
  readonly isKeyed: boolean
  /** Places of values by which rows are searched. */
  readonly places: readonly number[]
}

/** Remembers the last rows of each key, and searches them from the latest backwards. */
export function createSearchedRows({ space, window_us, isKeyed, places }: SearchedRowsOptions) {
  const blocks = createRowBlocks(places)

  return {
    /**
     * Finds none where the row that is meant is not remembered any more, or may be such a one; that is counted. In a space
     * without keys it may be as soon as the window has more rows than are remembered.
     */
    find(state: RuleState, key: string, pk: number, tests: readonly RowTest[]): readonly unknown[] | undefined {
      const from = pk - window_us
      const passed = isKeyed ? undefined : (state.value(space, passedKey) as number | undefined)
      if (passed !== undefined && passed >= from) {
        state.dropped(space, 1)
        return undefined
      }
      const { items } = state.list(space, key)
      const now = state.now()
      const found = blocks.findLast(items, from, tests, (item) => !isPast(item, window_us, now))
      if (found === undefined && isKeyed && items.length >= maxRows) {
        const gone = state.value(space, passedKeyOf(key)) as RowBounds | undefined
        if (gone && mayHave(gone, from, tests, places)) state.dropped(space, 1)
      }
      return found?.value as readonly unknown[] | undefined
    },

    add(state: RuleState, key: string, { seq, pk }: RuleEvent, values: readonly unknown[]): void {
      const list = state.list(space, key)
      const [oldest] = list.items
      if (oldest && list.items.length >= maxRows) {
        if (isKeyed) {
          const name = passedKeyOf(key)
          const gone = withRow(state.value(space, name) as RowBounds | undefined, oldest, places)
          state.set(space, name, gone, { seq: oldest.seq, pk: gone.pk })
        } else {
          const passed = state.value(space, passedKey) as number | undefined
          if (passed === undefined || oldest.pk > passed) state.set(space, passedKey, oldest.pk)
        }
      }
      list.add({ seq, pk: Number(pk), value: values })
    },
  }
}
