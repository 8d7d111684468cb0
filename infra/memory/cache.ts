import type { RuleStore } from '../log/port.ts'
import { keptKey } from './records.ts'
import type { Remembered } from './state.ts'

type OfEntry = {
  readonly space: string
  readonly key: string
  readonly kept: string
  /** Changes of uncommitted turns: while there are any it stays, since the disk has not what it holds. */
  pins: number
  /** The turn that changed it last. */
  turn: number
  /** The turn that asked for it last, and the one in which that was looked at last. */
  used: number
  looked: number
  isHeld: boolean
  bytes: number
}
export type ListEntry = OfEntry & {
  readonly kind: 'list'
  readonly items: Remembered[]
  /** Items that `turn` changed, by `seq`: few, as a rule. */
  touched: number[] | Set<number>
}
export type ValueEntry = OfEntry & {
  readonly kind: 'value'
  value: unknown
  /** Bytes of the value. */
  size: number
  /** The event that it is of. */
  of: { readonly seq: number; readonly pk: number } | undefined
}
export type Entry = ListEntry | ValueEntry

export type CacheRoom = { readonly items: number; readonly bytes: number }

export type StateCacheOptions = {
  readonly store: Pick<RuleStore, 'value' | 'items' | 'isEmpty'>
  /** Items and values that are held, and about how many bytes they take, beside those of uncommitted turns. */
  readonly room: () => CacheRoom
}

/** Entries that a turn looks at where there are too many: some milliseconds. */
const maxSeen = 20_000
const entryBytes = 200
const itemBytes = 80

/** Bytes that a value takes in memory, roughly. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length
  if (typeof value !== 'object' || value === null) return 8
  let sum = 32
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) sum += bytesOf(value[at])
    return sum
  }
  for (const name in value) sum += 16 + bytesOf((value as Record<string, unknown>)[name])
  return sum
}

export const itemSize = ({ value }: Remembered): number => itemBytes + bytesOf(value)

const fewTouched = 16

/** Takes note that a turn changes an item; false where it did before. */
export function touch(entry: ListEntry, turn: number, seq: number): boolean {
  if (entry.turn !== turn) {
    entry.turn = turn
    entry.touched = [seq]
    return true
  }
  const { touched } = entry
  if (Array.isArray(touched) ? touched.includes(seq) : touched.has(seq)) return false
  if (!Array.isArray(touched)) touched.add(seq)
  else if (touched.push(seq) > fewTouched) entry.touched = new Set(touched)
  return true
}

/** The place of an item of that `seq`, or where it would be. */
export function placeOf(items: readonly Remembered[], seq: number): number {
  let low = 0
  let high = items.length
  if ((items[0]?.seq ?? Number.POSITIVE_INFINITY) >= seq) return 0
  if ((items[high - 1]?.seq ?? 0) < seq) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((items[middle]?.seq ?? 0) < seq) low = middle + 1
    else high = middle
  }
  return low
}

/** The part of the rules' state that was asked for of late; the rest is read from the store. */
export function createStateCache({ store, room }: StateCacheOptions) {
  type OfSpace = {
    readonly lists: Map<string, ListEntry>
    readonly values: Map<string, ValueEntry>
    /** Whether the store has nothing of it that is not held here. */
    isWhole: boolean
  }
  const spaces = new Map<string, OfSpace>()
  /** In the order in which they came, or were found to be in use when entries had to go. */
  const recent = new Set<Entry>()
  let items = 0
  let bytes = 0
  let turn = 0
  /** The values that were asked for last in this turn: of a key, and of a rule as a whole. */
  let latestValue: ValueEntry | undefined
  let latestOther: ValueEntry | undefined

  function spaceOf(name: string): OfSpace {
    const known = spaces.get(name)
    if (known) return known
    const made: OfSpace = { lists: new Map(), values: new Map(), isWhole: store.isEmpty?.(name) ?? false }
    spaces.set(name, made)
    return made
  }

  const weight = (entry: Entry): number => (entry.kind === 'list' ? 1 + entry.items.length : 1)

  function take(entry: Entry): void {
    recent.add(entry)
    items += weight(entry)
    bytes += entry.bytes
  }

  function forget(entry: Entry): void {
    if (!recent.delete(entry)) return
    entry.isHeld = false
    items -= weight(entry)
    bytes -= entry.bytes
    const space = spaces.get(entry.space)
    if (!space) return
    space.isWhole = false
    if (entry.kind === 'list') space.lists.delete(entry.kept)
    else space.values.delete(entry.kept)
    if (space.lists.size + space.values.size === 0) spaces.delete(entry.space)
  }

  const newEntry = (space: string, key: string, kept: string, size: number) => ({
    ...{ space, key, kept, pins: 0, turn: 0, used: turn, looked: turn, isHeld: true },
    bytes: entryBytes + kept.length + size,
  })

  function readList(space: string, key: string): ListEntry {
    const kept = keptKey(key)
    const { lists, isWhole } = spaceOf(space)
    const known = lists.get(kept)
    if (known) return known
    const found = isWhole ? [] : store.items(space, key)
    const size = found.reduce((sum, item) => sum + itemSize(item), 0)
    const entry: ListEntry = { kind: 'list', ...newEntry(space, key, kept, size), items: found, touched: [] }
    lists.set(kept, entry)
    take(entry)
    return entry
  }

  function readValue(space: string, key: string): ValueEntry {
    const kept = keptKey(key)
    const { values, isWhole } = spaceOf(space)
    const known = values.get(kept)
    if (known) return known
    const value = isWhole ? undefined : store.value(space, key)
    const size = bytesOf(value)
    const entry: ValueEntry = { kind: 'value', ...newEntry(space, key, kept, size), value, size, of: undefined }
    values.set(kept, entry)
    take(entry)
    return entry
  }

  return {
    // Most keys are kept as they are, and no key that is not is the kept one of another.
    list(space: string, key: string): ListEntry {
      const entry = spaces.get(space)?.lists.get(key) ?? readList(space, key)
      entry.used = turn
      return entry
    },
    value(space: string, key: string): ValueEntry {
      // An event asks for the values of its key several times, and for one of its rule in between.
      const isOther = key.startsWith('#')
      const latest = isOther ? latestOther : latestValue
      if (latest?.isHeld && latest.key === key && latest.space === space) return latest
      const entry = spaces.get(space)?.values.get(key) ?? readValue(space, key)
      entry.used = turn
      if (isOther) latestOther = entry
      else latestValue = entry
      return entry
    },
    /** The value that is there, which is not held for it. */
    peek(space: string, key: string): unknown {
      const ofSpace = spaces.get(space)
      const held = ofSpace?.values.get(keptKey(key))
      return held ? held.value : ofSpace?.isWhole ? undefined : store.value(space, key)
    },
    /** The entry of a kept key, where it is held. */
    held(space: string, kept: string, kind: Entry['kind']): Entry | undefined {
      const ofSpace = spaces.get(space)
      return kind === 'list' ? ofSpace?.lists.get(kept) : ofSpace?.values.get(kept)
    },
    /** An entry changed by so many items and bytes. */
    grow(entry: Entry, more: number, length: number): void {
      entry.bytes += length
      if (!entry.isHeld) return
      items += more
      bytes += length
    },
    forget,
    forgetSpaces(prefix: string): void {
      for (const [name, { lists, values }] of [...spaces]) {
        if (name.startsWith(prefix)) for (const entry of [...lists.values(), ...values.values()]) forget(entry)
      }
    },
    /**
     * A turn begins, or none does for a while: no list of the one before is in use any more, so that entries may go, but
     * not so many that others would wait for it.
     */
    nextTurn(): void {
      turn++
      latestValue = undefined
      latestOther = undefined
      const most = room()
      if (items <= most.items && bytes <= most.bytes) return
      let seen = 0
      for (const entry of recent) {
        if ((items <= most.items && bytes <= most.bytes) || ++seen > maxSeen) break
        if (entry.used > entry.looked) {
          entry.looked = turn
          recent.delete(entry)
          recent.add(entry)
        } else if (entry.pins === 0) forget(entry)
      }
    },
    size: (): { readonly items: number; readonly bytes: number } => ({ items, bytes }),
  }
}

export type StateCache = ReturnType<typeof createStateCache>
