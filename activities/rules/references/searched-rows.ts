import { isPast, type RuleEvent } from '../rule-event.ts'
import type { RuleState } from '../state.ts'

/** Rows that are remembered of a key. */
export const maxRows = 10_000
/** Of a space without keys: the greatest time of its rows that are not remembered any more. No key's text begins so. */
export const passedKey = 'passed'

/** Remembers the last rows of each key, and searches them from the latest backwards. */
export function createSearchedRows(space: string, window_us: number, isKeyed: boolean) {
  return {
    /** In a space without keys no row is found where its window has more rows than are remembered. */
    find(
      state: RuleState,
      key: string,
      pk: number,
      isMeant: (values: readonly unknown[]) => boolean,
    ): readonly unknown[] | undefined {
      const from = pk - window_us
      const passed = isKeyed ? undefined : (state.value(space, passedKey) as number | undefined)
      if (passed !== undefined && passed >= from) {
        state.dropped(space, 1)
        return undefined
      }
      const { items } = state.list(space, key)
      const now = state.now()
      for (let at = items.length - 1; at >= 0; at--) {
        const item = items[at]
        if (item === undefined || item.pk < from || isPast(item, window_us, now)) continue
        const values = item.value as readonly unknown[]
        if (isMeant(values)) return values
      }
      return undefined
    },

    add(state: RuleState, key: string, { seq, pk }: RuleEvent, values: readonly unknown[]): void {
      const list = state.list(space, key)
      const [oldest] = list.items
      if (!isKeyed && oldest && list.items.length >= maxRows) {
        const passed = state.value(space, passedKey) as number | undefined
        if (passed === undefined || oldest.pk > passed) state.set(space, passedKey, oldest.pk)
      }
      list.add({ seq, pk: Number(pk), value: values })
    },
  }
}
