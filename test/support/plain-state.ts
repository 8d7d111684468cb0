import type { Remembered, RuleState } from '../../infra/memory/state.ts'

const bound = 10_000

/** The memory of rules as plain maps, without a store. */
export function createPlainState() {
  const values = new Map<string, unknown>()
  const lists = new Map<string, Remembered[]>()
  const dropped = new Map<string, number>()
  const placeOf = (space: string, key: string): string => `${space}\n${key}`
  const drop = (space: string, count: number): unknown => dropped.set(space, (dropped.get(space) ?? 0) + count)

  let now_us = 0
  const state: RuleState = {
    now: () => now_us,
    came: () => now_us,
    value: (space, key) => values.get(placeOf(space, key)),
    set(space, key, value) {
      if (value === undefined) values.delete(placeOf(space, key))
      else values.set(placeOf(space, key), value)
    },
    list(space, key) {
      const place = placeOf(space, key)
      const items = lists.get(place) ?? []
      lists.set(place, items)
      return {
        items,
        add(item) {
          items.push(item)
          if (items.length <= bound) return
          items.shift()
          drop(space, 1)
        },
        remove: ({ seq }) => {
          items.splice(
            items.findIndex((each) => each.seq === seq),
            1,
          )
        },
        replace: (item) => {
          items.splice(
            items.findIndex(({ seq }) => seq === item.seq),
            1,
            item,
          )
        },
      }
    },
    dropped: drop,
  }
  return {
    ...{ state, values, lists, dropped },
    /** The event at hand was acknowledged then. */
    at(us: number): void {
      now_us = us
    },
  }
}
