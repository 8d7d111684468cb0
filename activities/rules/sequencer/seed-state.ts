import type { Remembered, RuleState, StateChange } from '../../../infra/memory/state.ts'
import type { Fill } from '../references/seed.ts'

export type Seeded = {
  readonly changes: readonly StateChange[]
  readonly dropped: readonly { readonly space: string; readonly count: number }[]
}

type Value = {
  readonly space: string
  readonly key: string
  readonly value: unknown
  readonly of: { readonly seq: number; readonly pk: number } | undefined
}

/**
 * The records that a fill makes of spaces that are empty. They go by the memory, which would hold all of them: keys are
 * read from the disk when an event asks for them. Values that are of no event have the age `seq`.
 */
export function seededBy(fill: Fill, seq: number): Seeded {
  const values = new Map<string, Value>()
  const lists = new Map<string, { readonly space: string; readonly key: string; readonly items: Remembered[] }>()
  const dropped = new Map<string, number>()
  const placeOf = (space: string, key: string): string => `${space}\n${key}`
  const state: RuleState = {
    now: () => seq,
    came: () => seq,
    value: (space, key) => values.get(placeOf(space, key))?.value,
    set(space, key, value, of) {
      const place = placeOf(space, key)
      if (value === undefined) values.delete(place)
      else values.set(place, { space, key, value, of })
    },
    list(space, key) {
      const place = placeOf(space, key)
      const items: Remembered[] = lists.get(place)?.items ?? []
      lists.set(place, { space, key, items })
      return {
        items,
        // Rows come in the order of the log, and no more of a key than are remembered.
        add: (item) => items.push(item),
        remove(item) {
          const at = items.findIndex((each) => each.seq === item.seq)
          if (at >= 0) items.splice(at, 1)
        },
        replace(item) {
          const at = items.findIndex((each) => each.seq === item.seq)
          if (at >= 0) items[at] = item
        },
      }
    },
    dropped: (space, count) => dropped.set(space, (dropped.get(space) ?? 0) + count),
  }
  fill(state)
  const changes: StateChange[] = []
  for (const { space, key, value, of } of values.values()) {
    changes.push({ space, key, isItem: false, seq: of?.seq ?? seq, pk: of?.pk, value, isNew: true })
  }
  for (const { space, key, items } of lists.values()) {
    for (const item of items) {
      changes.push({ space, key, isItem: true, seq: item.seq, pk: item.pk, value: item.value, isNew: true })
    }
  }
  return { changes, dropped: [...dropped].map(([space, count]) => ({ space, count })) }
}
