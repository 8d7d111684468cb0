import { storedKey } from './records.ts'
import type { Remembered } from './state.ts'
import {
  committedIn,
  type Entry,
  hasVersions,
  type ListEntry,
  type SpaceEntries,
  type ValueEntry,
  type Version,
} from './versions.ts'
import { createWaits } from './waits.ts'

/** The records, without the versions that are on their way to them. */
export type ReadRecords = {
  value(space: string, stored: string): unknown
  /** The items of a list, by `seq`. */
  items(space: string, stored: string): Remembered[]
  isEmpty(space: string): boolean
}

export type CacheRoom = { readonly items: number; readonly bytes: number }

/** Entries that a turn looks at where there are too many: some milliseconds. */
const maxSeen = 20_000
const entryBytes = 200
const itemBytes = 80

/** Bytes that a value takes in memory, roughly. */
function bytesOf(value: unknown): number {
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

const itemSize = ({ value }: Remembered): number => itemBytes + bytesOf(value)

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

/** Puts an item in its place in a list, or takes it away; returns the one that was there. */
function placeIn(items: Remembered[], seq: number, item: Remembered | undefined): Remembered | undefined {
  const at = placeOf(items, seq)
  const before = items[at]?.seq === seq ? items[at] : undefined
  if (item === undefined) {
    if (!before) return undefined
    if (at === 0) items.shift()
    else items.splice(at, 1)
  } else if (before) items[at] = item
  else if (at === items.length) items.push(item)
  else items.splice(at, 0, item)
  return before
}

/** The items of the records, each as its version has it where `pick` finds one. */
function merged(
  found: Remembered[],
  { versions }: ListEntry,
  pick: (top: Version) => Version | undefined,
): Remembered[] {
  if (!versions) return found
  const picked = new Map<number, Version>()
  for (const [seq, top] of versions) {
    const version = pick(top)
    if (version) picked.set(seq, version)
  }
  const items = found.filter(({ seq }) => !picked.has(seq))
  for (const { seq, pk = Number.NaN, value } of picked.values()) if (value !== undefined) items.push({ seq, pk, value })
  return items.sort((one, other) => one.seq - other.seq)
}

/** All entries of a kind have the same members in the same order. */
const newList = (home: SpaceEntries, key: string): ListEntry => ({
  kind: 'list',
  home,
  key,
  pins: 0,
  used: 0,
  looked: 0,
  isHeld: false,
  bytes: 0,
  items: [],
  versions: undefined,
})
const newValue = (home: SpaceEntries, key: string): ValueEntry => ({
  kind: 'value',
  home,
  key,
  pins: 0,
  used: 0,
  looked: 0,
  isHeld: false,
  bytes: 0,
  value: undefined,
  size: 0,
  of: undefined,
  version: undefined,
})

/**
 * The state of rules in memory: what was asked for of late, and every version that the records do not have yet. An entry
 * that is held has all that readers ask for; one that is not has versions alone, and is completed from the records when a
 * reader asks for it.
 */
export function createCache(records: ReadRecords) {
  const spaces = new Map<string, SpaceEntries>()
  const waits = createWaits()
  /** The entries that are held, in the order in which they came, or were found to be in use when entries had to go. */
  const recent = new Set<Entry>()
  let items = 0
  let bytes = 0
  let turn = 0
  /** The values that were asked for last in this turn: of a key, and of a rule as a whole. */
  let latestValue: ValueEntry | undefined
  let latestOther: ValueEntry | undefined

  function spaceOf(name: string): SpaceEntries {
    const known = spaces.get(name)
    if (known) return known
    const made: SpaceEntries = {
      ...{ name, lists: new Map(), values: new Map(), isWhole: records.isEmpty(name), waits: waits.of(name) },
    }
    spaces.set(name, made)
    return made
  }

  /** The entry of a stored key; a new entry has no items yet. */
  function listEntry(space: string, key: string): ListEntry {
    const home = spaceOf(space)
    const known = home.lists.get(key)
    if (known) return known
    const entry = newList(home, key)
    home.lists.set(key, entry)
    return entry
  }

  function valueEntry(space: string, key: string): ValueEntry {
    const home = spaceOf(space)
    const known = home.values.get(key)
    if (known) return known
    const entry = newValue(home, key)
    home.values.set(key, entry)
    return entry
  }

  const weight = (entry: Entry): number => (entry.kind === 'list' ? 1 + entry.items.length : 1)

  function hold(entry: Entry, size: number): void {
    entry.isHeld = true
    entry.looked = turn
    entry.bytes = entryBytes + entry.key.length + size
    recent.add(entry)
    items += weight(entry)
    bytes += entry.bytes
  }

  function holdList(space: string, key: string): ListEntry {
    const entry = listEntry(space, storedKey(key))
    if (entry.isHeld) return entry
    const found = entry.home.isWhole ? [] : records.items(space, entry.key)
    entry.items = merged(found, entry, (top) => top)
    hold(
      entry,
      entry.items.reduce((sum, item) => sum + itemSize(item), 0),
    )
    return entry
  }

  const youngest = ({ version, home, key }: ValueEntry): unknown =>
    version ? version.value : home.isWhole ? undefined : records.value(home.name, key)

  function holdValue(space: string, key: string): ValueEntry {
    const entry = valueEntry(space, storedKey(key))
    if (entry.isHeld) return entry
    entry.value = youngest(entry)
    entry.size = bytesOf(entry.value)
    hold(entry, entry.size)
    return entry
  }

  /** Evicts an entry without versions: the next reader reads it from the records. */
  function leave(entry: Entry): void {
    if (entry.isHeld || hasVersions(entry)) return
    const { home, kind, key } = entry
    home.isWhole = false
    if (kind === 'list') home.lists.delete(key)
    else home.values.delete(key)
    const isEmpty = home.lists.size + home.values.size === 0
    if (isEmpty && spaces.get(home.name) === home) spaces.delete(home.name)
  }

  function forget(entry: Entry): void {
    if (!recent.delete(entry)) return
    items -= weight(entry)
    bytes -= entry.bytes
    entry.isHeld = false
    if (entry.kind === 'list') entry.items = []
    else entry.value = undefined
    leave(entry)
  }

  function grow(entry: Entry, more: number, length: number): void {
    entry.bytes += length
    if (!entry.isHeld) return
    items += more
    bytes += length
  }

  return {
    waits,
    spaceOf,
    listEntry,
    valueEntry,
    // Most keys are stored as they are, and a long key is never equal to the stored form of another.
    list(space: string, key: string): ListEntry {
      const known = spaces.get(space)?.lists.get(key)
      const entry = known?.isHeld ? known : holdList(space, key)
      entry.used = turn
      return entry
    },
    value(space: string, key: string): ValueEntry {
      // An event asks for the values of its key several times, and for one of its rule in between.
      const isOther = key.startsWith('#')
      const latest = isOther ? latestOther : latestValue
      if (latest?.isHeld && latest.key === key && latest.home.name === space) return latest
      const known = spaces.get(space)?.values.get(key)
      const entry = known?.isHeld ? known : holdValue(space, key)
      entry.used = turn
      if (isOther) latestOther = entry
      else latestValue = entry
      return entry
    },
    /** The value that is there, which is not held for it. */
    peek(space: string, key: string): unknown {
      const stored = storedKey(key)
      const entry = spaces.get(space)?.values.get(stored)
      if (entry) return entry.isHeld ? entry.value : youngest(entry)
      return spaces.get(space)?.isWhole ? undefined : records.value(space, stored)
    },
    /** The value as the last commit left it. */
    committedValue(space: string, key: string): unknown {
      const stored = storedKey(key)
      const version = committedIn(spaces.get(space)?.values.get(stored)?.version)
      return version ? version.value : records.value(space, stored)
    },
    /** The items as the last commit left them. */
    committedItems(space: string, key: string): Remembered[] {
      const stored = storedKey(key)
      const entry = spaces.get(space)?.lists.get(stored)
      const found = records.items(space, stored)
      return entry ? merged(found, entry, committedIn) : found
    },
    /** The entry of a stored key, where there is one. */
    find(space: string, stored: string, isItem: boolean): Entry | undefined {
      const ofSpace = spaces.get(space)
      return isItem ? ofSpace?.lists.get(stored) : ofSpace?.values.get(stored)
    },
    /** Puts an item in its place, or takes it away; returns the one that was there. */
    place(entry: ListEntry, seq: number, item: Remembered | undefined): Remembered | undefined {
      const before = placeIn(entry.items, seq, item)
      if (!before && !item) return undefined
      const more = (item ? 1 : 0) - (before ? 1 : 0)
      grow(entry, more, (item ? itemSize(item) : 0) - (before ? itemSize(before) : 0))
      return before
    },
    setValue(entry: ValueEntry, value: unknown): void {
      const size = bytesOf(value)
      grow(entry, 0, size - entry.size)
      entry.value = value
      entry.size = size
    },
    forget,
    leave,
    /** Takes the entries of spaces away, which then are as empty as the records say. */
    take(prefix: string): SpaceEntries[] {
      const taken = [...spaces.values()].filter(({ name }) => name.startsWith(prefix))
      for (const space of taken) {
        spaces.delete(space.name)
        for (const entry of [...space.lists.values(), ...space.values.values()]) forget(entry)
      }
      return taken
    },
    /**
     * A turn begins, or none does for a while: no list of the one before is in use any more, so that entries may go, but
     * not so many that others would wait for it.
     */
    nextTurn(most: CacheRoom): void {
      turn++
      latestValue = undefined
      latestOther = undefined
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
    size: (): CacheRoom => ({ items, bytes }),
  }
}

export type Cache = ReturnType<typeof createCache>
