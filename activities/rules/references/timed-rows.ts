import type { RuleState } from '../../../infra/memory/state.ts'
import { isPast, type RuleEvent, timeOfEvent } from '../rule-event.ts'
import { createRowBlocks, type RowTest } from './row-bounds.ts'
import { maxRows, passedKeyOf } from './searched-rows.ts'

export type TimedRowsOptions = {
  readonly space: string
  readonly window_us: number
  /** Places of values by which rows are searched. */
  readonly places: readonly number[]
}

/** Remembers the latest rows of each key by their times, and finds the one that was the latest at a time. */
export function createTimedRows({ space, window_us, places }: TimedRowsOptions) {
  const blocks = createRowBlocks(places)

  /** Notes that a row of the time is not remembered: it is older than all that are. */
  function pass(state: RuleState, key: string, seq: number, pk: number): void {
    const name = passedKeyOf(key)
    const known = state.value(space, name) as number | undefined
    if (known === undefined || pk > known) state.set(space, name, pk, { seq, pk })
  }

  return {
    pass,

    /** Finds none where a row that is not remembered may be the one that is meant; that is counted. */
    find(state: RuleState, key: string, pk: number, tests: readonly RowTest[]): readonly unknown[] | undefined {
      const from = pk - window_us
      const now = state.now()
      const { items } = state.list(space, key)
      const found = blocks.findLatest(items, [from, pk], tests, (item) => !isPast(item, window_us, now))
      const passed = state.value(space, passedKeyOf(key)) as number | undefined
      if (passed !== undefined && passed >= from && (found === undefined || found.pk < passed)) {
        state.dropped(space, 1)
        return undefined
      }
      return found?.value as readonly unknown[] | undefined
    },

    add(state: RuleState, key: string, event: RuleEvent, values: readonly unknown[]): void {
      const [seq, pk] = [event.seq, timeOfEvent(event)]
      const list = state.list(space, key)
      if (list.items.length >= maxRows) {
        const oldest = list.items.reduce((least, item) => (item.pk < least.pk ? item : least))
        const isOlder = pk < oldest.pk
        if (isOlder) pass(state, key, seq, pk)
        else pass(state, key, oldest.seq, oldest.pk)
        if (isOlder) return
        list.remove(oldest)
      }
      list.add({ seq, pk, value: values })
    },
  }
}
