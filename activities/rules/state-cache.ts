import { keptKey } from '../../infra/log/embedded/rule-records.ts'
import type { RuleStore } from '../../infra/log/port.ts'
import type { Remembered } from './state.ts'

type OfEntry = {
  readonly space: string
  readonly key: string
  readonly kept: string
  /** Uncommitted turns that changed it: while there are any it stays, since the disk has not what it holds. */
  pins: number
  /** The turn that asked for it last. */
  used: number
  bytes: number
}
export type ListEntry = OfEntry & {
  readonly kind: 'list'
  readonly items: Remembered[]
  /** By `seq`, in how many uncommitted turns an item was changed. */
  readonly uncommitted: Map<number, number>
}
export type ValueEntry = OfEntry & { readonly kind: 'value'; value: unknown }
export type Entry = ListEntry | ValueEntry

export type StateCacheOptions = {
  readonly store: Pick<RuleStore, 'value' | 'items'>
  /** Items and values that are held, and about how many bytes they take, beside those of uncommitted turns. */
  readonly maxItems: number
  readonly maxBytes: number
}

const entryBytes = 200
const itemBytes = 80

/** Bytes that a value takes in memory, roughly. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + bytesOf(each), 32)
  if (typeof value !== 'object' || value === null) return 8
  let sum = 32
  for (const each of Object.values(value)) sum += 16 + bytesOf(each)
  return sum
}

export const itemSize = ({ value }: Remembered): number => itemBytes + bytesOf(value)

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
export function createStateCache({ store, maxItems, maxBytes }: StateCacheOptions) {
  type OfSpace = { readonly lists: Map<string, ListEntry>; readonly values: Map<string, ValueEntry> }
  const spaces = new Map<string, OfSpace>()
  /** From the one that was asked for longest ago. */
  const recent = new Set<Entry>()
  let items = 0
  let bytes = 0
  let turn = 0

  function spaceOf(name: string): OfSpace {
    const known = spaces.get(name)
    if (known) return known
    const made: OfSpace = { lists: new Map(), values: new Map() }
    spaces.set(name, made)
    return made
  }

  function use<Each extends Entry>(entry: Each): Each {
    if (entry.used === turn) return entry
    entry.used = turn
    recent.delete(entry)
    recent.add(entry)
    return entry
  }

  const weight = (entry: Entry): number => (entry.kind === 'list' ? 1 + entry.items.length : 1)

  function take(entry: Entry): void {
    recent.add(entry)
    items += weight(entry)
    bytes += entry.bytes
  }

  function forget(entry: Entry): void {
    if (!recent.delete(entry)) return
    items -= weight(entry)
    bytes -= entry.bytes
    const space = spaces.get(entry.space)
    if (entry.kind === 'list') space?.lists.delete(entry.kept)
    else space?.values.delete(entry.kept)
    if (space && space.lists.size + space.values.size === 0) spaces.delete(entry.space)
  }

  return {
    list(space: string, key: string): ListEntry {
      const kept = keptKey(key)
      const { lists } = spaceOf(space)
      const known = lists.get(kept)
      if (known) return use(known)
      const found = store.items(space, key)
      const size = found.reduce((sum, item) => sum + itemSize(item), entryBytes + kept.length)
      const entry: ListEntry = {
        kind: 'list',
        ...{ space, key, kept, items: found, uncommitted: new Map() },
        ...{ pins: 0, used: turn, bytes: size },
      }
      lists.set(kept, entry)
      take(entry)
      return entry
    },
    value(space: string, key: string): ValueEntry {
      const kept = keptKey(key)
      const { values } = spaceOf(space)
      const known = values.get(kept)
      if (known) return use(known)
      const value = store.value(space, key)
      const size = entryBytes + kept.length + bytesOf(value)
      const entry: ValueEntry = { kind: 'value', space, key, kept, value, pins: 0, used: turn, bytes: size }
      values.set(kept, entry)
      take(entry)
      return entry
    },
    /** The entry of a kept key, where it is held. */
    held(space: string, kept: string, kind: Entry['kind']): Entry | undefined {
      const ofSpace = spaces.get(space)
      return kind === 'list' ? ofSpace?.lists.get(kept) : ofSpace?.values.get(kept)
    },
    /** An entry changed by so many items and bytes. */
    grow(entry: Entry, more: number, length: number): void {
      entry.bytes += length
      if (!recent.has(entry)) return
      items += more
      bytes += length
    },
    forget,
    forgetSpaces(prefix: string): void {
      for (const [name, { lists, values }] of [...spaces]) {
        if (name.startsWith(prefix)) for (const entry of [...lists.values(), ...values.values()]) forget(entry)
      }
    },
    /** A turn begins: no list of the one before is in use any more, so that entries may go. */
    nextTurn(): void {
      turn++
      if (items <= maxItems && bytes <= maxBytes) return
      for (const entry of recent) {
        if (items <= maxItems && bytes <= maxBytes) break
        if (entry.pins === 0) forget(entry)
      }
    },
    size: (): { readonly items: number; readonly bytes: number } => ({ items, bytes }),
  }
}

export type StateCache = ReturnType<typeof createStateCache>
