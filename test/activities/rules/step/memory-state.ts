import type { Remembered, RuleList, RuleState } from '../../../../infra/memory/state.ts'
import type { WaitOrder } from '../../../../infra/memory/waits.ts'

/** The most items that one key remembers. */
const maxItems = 10_000

/** A value that came through MessagePack. Throws where it cannot say the value, or would give another one back. */
function unpacked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpacked)
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) !== value || Number.isSafeInteger(Number(value))) throw new Error(`a bigint: ${value}`)
    return value
  }
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value
  if (typeof value !== 'object' || ![Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    throw new Error(`MessagePack does not say ${String(value)}`)
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, unpacked(each)]))
}

export type MemoryState = RuleState & {
  /** The waits of a space, gone through one by one. */
  waits(space: string): WaitOrder
  /** Events past the bound, by space. */
  readonly gone: ReadonlyMap<string, number>
  /** Values and lists that are there. */
  size(): number
  /** The event at hand was acknowledged then. */
  at(us: number): void
  /** An event is erased: what is of it goes. */
  forget(seq: number): void
}

type Options = {
  /** All values go through MessagePack, as the log keeps them: nothing may depend on their identity. */
  readonly isPacked?: boolean
}

/** The memory of rules in plain maps. */
export function createMemoryState({ isPacked = false }: Options = {}): MemoryState {
  const values = new Map<string, Map<string, unknown>>()
  const lists = new Map<string, Map<string, RuleList & { readonly items: Remembered[] }>>()
  const gone = new Map<string, number>()
  const ages = new Map<string, number>()
  const times = new Map<string, number | undefined>()
  let now_us = 0
  const kept = <Kept>(value: Kept): Kept => (isPacked ? (unpacked(value) as Kept) : value)

  function inSpace<Held>(spaces: Map<string, Map<string, Held>>, space: string): Map<string, Held> {
    const known = spaces.get(space)
    if (known !== undefined) return known
    const made = new Map<string, Held>()
    spaces.set(space, made)
    return made
  }

  const dropped = (space: string, count: number): void => {
    gone.set(space, (gone.get(space) ?? 0) + count)
  }

  function createList(
    space: string,
    key: string,
    ofSpace: Map<string, RuleList>,
  ): RuleList & { readonly items: Remembered[] } {
    const items: Remembered[] = []
    return {
      items,
      add(item) {
        if (items.length === 0) ofSpace.set(key, this)
        items.push(kept(item))
        if (items.length > maxItems) {
          items.shift()
          dropped(space, 1)
        }
      },
      remove({ seq }) {
        const index = items.findIndex((each) => each.seq === seq)
        if (index === 0) items.shift()
        else if (index > 0) items.splice(index, 1)
        if (items.length === 0) ofSpace.delete(key)
      },
      replace(item) {
        const index = items.findIndex((each) => each.seq === item.seq)
        if (index >= 0) items[index] = kept(item)
      },
    }
  }

  return {
    gone,
    now: () => now_us,
    came: () => now_us,
    at(us) {
      now_us = us
    },
    size: () => [...values.values(), ...lists.values()].reduce((sum, each) => sum + each.size, 0),
    value: (space, key) => values.get(space)?.get(key),
    forget(seq) {
      for (const [space, ofSpace] of values)
        for (const key of ofSpace.keys()) if (ages.get(`${space} ${key}`) === seq) ofSpace.delete(key)
      for (const ofSpace of lists.values())
        for (const list of ofSpace.values()) for (const item of [...list.items]) if (item.seq === seq) list.remove(item)
    },
    set(space, key, value, of) {
      if (of) ages.set(`${space} ${key}`, of.seq)
      const ofSpace = inSpace(values, space)
      // A value that is set again is the latest one of its space.
      ofSpace.delete(key)
      if (value !== undefined) ofSpace.set(key, kept(value))
      times.set(`${space} ${key}`, of?.pk)
    },
    waits(space) {
      const all = [...(values.get(space)?.keys() ?? [])].map((key) => [key, times.get(`${space} ${key}`) ?? 0] as const)
      return {
        size: all.length,
        oldest: () => all,
        earliest: (most) => all.toSorted(([, one], [, other]) => one - other).slice(0, most),
      }
    },
    list(space, key) {
      const ofSpace = inSpace(lists, space)
      return ofSpace.get(key) ?? createList(space, key, ofSpace)
    },
    dropped,
  }
}
