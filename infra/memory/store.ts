import { setImmediate } from 'node:timers/promises'
import type { RootDatabase } from 'lmdb'
import { countOf } from '../log/shared/tree-statistics.ts'
import { type Cache, createCache } from './cache.ts'
import { type Commits, createCommits } from './commits.ts'
import {
  type Disk,
  moveAge,
  newPlan,
  noteSpace,
  openDisk,
  type Plan,
  putAll,
  putVersions,
  readable,
  readItems,
  readSpaces,
  readValue,
  roomFor,
  spaceOf,
  spacesFrom,
  take,
  unputAll,
  type Why,
  write,
} from './disk.ts'
import {
  type Changes,
  changesIn,
  createJournal,
  decodeChanges,
  encodeChanges,
  encodeEntry,
  type Journal,
  ordinalKey,
} from './journal.ts'
import { aged, placeOf, type RecordHead, recordHead, recordsOf, seqOf } from './records.ts'
import type { Remembered, StateChange } from './state.ts'
import { createUpkeep, journalRoom, stepRecords } from './upkeep.ts'
import { type Version, versionOf } from './versions.ts'

export type { Plan } from './disk.ts'
export type { Changes } from './journal.ts'

/** Changes of the state in one commit, and events that went past a bound. */
export type CommitChanges = {
  /** By append: the changes of none change a record twice. */
  readonly changes: readonly Changes[]
  readonly dropped: ReadonlyMap<string, number>
  /** Work on the state as the commit before left it, instead of changes. */
  readonly work?: ((plan: Plan) => void) | undefined
}

/** The state of rules, on the disk and in memory. */
export type RuleData = {
  readonly disk: Disk
  readonly journal: Journal
  readonly cache: Cache
  readonly commits: Commits
}

/** The greatest `seq` that entries of the journal name. */
export type Named = { readonly seq: number }

export type RuleStoreWatcher = {
  /** Whether nothing has a use any more for what a space remembers of an event. */
  isForgotten(space: string, seq: number, pk: number, key: string): boolean
  /**
   * A record went without a change that asked for it: past a bound, by its time, or erased. `age` is the place of the event
   * that it was of.
   */
  gone(space: string, key: string, seq: number | undefined, why: Why, age: number): void
}

/**
 * The rules' state as the last commit left it. A space is named `<schema>.<stream>/<the rest>`, by the stream whose events
 * it holds.
 */
export type RuleStore = {
  value(space: string, key: string): unknown
  /** The items of a list, by `seq`. */
  items(space: string, key: string): Remembered[]
  /** Bytes on the disk, and events that went past a bound, of each space whose name begins so. */
  spaces(prefix: string): { readonly space: string; readonly bytes: number; readonly dropped: number }[]
  /** Bytes on the disk of all spaces. */
  bytes(): number
  /** Forgets all spaces whose names begin so. */
  drop(prefix: string): Promise<void>
  /** Removes items and values of events, of all spaces whose names begin so. Resolves to their number. */
  forget(prefix: string, isErased: (seq: number, pk: number) => boolean): Promise<number>
  /** The versions and entries that turns read and change before their commits. */
  readonly cache: Cache
  /** There is one watcher, the memory over this store. */
  watch(watcher: RuleStoreWatcher): void
}

export type RuleStateOptions = {
  readonly data: RuleData
  readonly maxBytes: () => number
  readonly every_ms?: number | undefined
  /** The part of what may wait in journals that may wait in this one. */
  readonly journalShare: () => number
  /** Runs work in a commit of its own, behind those that wait. */
  readonly commit: (work: (plan: Plan) => void) => Promise<unknown>
}

/** A commit of fewer changes puts each into its record at once, unless others wait in the journal. */
const minJournalled = 16
/** Changes of the journal that are read at once: a few milliseconds. */
const readAtOnce = 4_000

/** The state as the disk has it, but for its journal. */
export function openRuleData(root: RootDatabase): RuleData {
  const disk = openDisk(root)
  const cache = createCache({
    value(name, key) {
      const space = readable(disk, name)
      return space && readValue(disk, space, key)
    },
    items(name, key) {
      const space = readable(disk, name)
      return space ? readItems(disk, space, key) : []
    },
    isEmpty: (name) => (readable(disk, name)?.bytes ?? 0) === 0,
  })
  return { disk, journal: createJournal(), cache, commits: createCommits(cache) }
}

/** Reads the order of waits from their records; after each stretch others may have their turn. */
function* readWaits({ disk, cache }: RuleData): Generator<void> {
  for (const { id, name } of disk.byName.values()) {
    const open = cache.waits.of(name)
    if (!open) continue
    const found: (readonly [key: string, pk: number, age: number])[] = []
    for (const { key: record, value } of disk.trees.records.getRange(recordsOf(id))) {
      const { pk, age } = recordHead(seqOf(record), value)
      if (!Number.isNaN(pk)) found.push([placeOf(record).key, pk, age])
      if (found.length % readAtOnce === 0) yield
    }
    found.sort(([, , one], [, , other]) => one - other)
    for (const [key, pk] of found) open.committed(key, pk)
  }
}

/** Reads the order of waits, and the journal that the disk has; after each stretch others may have their turn. */
function* readEntries(data: RuleData): Generator<void, Named> {
  yield* readWaits(data)
  const { disk, journal, commits } = data
  let [seq, count] = [0, 0]
  const nameOf = (id: number): string | undefined => disk.byId.get(id)?.name
  for (const { key, value } of disk.trees.journal.getRange()) {
    const ordinal = key.readDoubleBE()
    const changes: Pick<Version, 'ofSpace'>[] = []
    for (const [ofSpace, change] of changesIn(value, nameOf, disk.trees.codec)) {
      changes.push({ ofSpace })
      seq = Math.max(seq, change.seq)
      // A space that is gone may be named by an entry still: its number comes to no other.
      disk.nextId = Math.max(disk.nextId, ofSpace + 1)
      if (disk.byId.has(ofSpace)) commits.committed(change, { ofSpace, ordinal })
    }
    journal.add(ordinal, changes, value.length)
    const before = Math.floor(count / readAtOnce)
    count += changes.length
    if (Math.floor(count / readAtOnce) > before) yield
  }
  return { seq }
}

export function readJournal(data: RuleData): Named {
  const entries = readEntries(data)
  for (;;) {
    const { done, value } = entries.next()
    if (done) return value
  }
}

/** The same, while others have their turn: the state is not to be read or changed until all is there. */
export async function readJournalInSteps(data: RuleData, pause: () => Promise<unknown> = setImmediate): Promise<Named> {
  const entries = readEntries(data)
  for (;;) {
    const { done, value } = entries.next()
    if (done) return value
    await pause()
  }
}

/** The last change of each record, which is new where the first one was. */
function lastOf(lists: readonly (readonly Version[])[]): Iterable<Version> {
  const [only] = lists
  if (lists.length === 1 && only) return only
  const last = new Map<string, Version>()
  for (const list of lists) {
    for (const change of list) {
      const name = `${change.isItem ? change.seq : '-'} ${change.space} ${change.key}`
      const before = last.get(name)
      last.set(
        name,
        before === undefined || before.isNew === change.isNew ? change : { ...change, isNew: before.isNew },
      )
    }
  }
  return last.values()
}

/** The oldest go, but for records that this commit writes, or of which a version waits: those are looked at by a later one. */
function takeOldest(
  disk: Disk,
  plan: Plan,
  maxBytes: number,
  isToStay: (record: Buffer) => boolean,
  isForgotten: (record: Buffer, head: RecordHead) => boolean,
): void {
  const written = new Set<string>()
  for (const { tree, key } of plan.writes) if (tree === 'records') written.add(key.toString('latin1'))
  for (const entry of disk.trees.ages.getKeys({ limit: stepRecords + 2 * plan.writes.length })) {
    if (disk.bytes <= maxBytes) return
    const record = aged(entry)
    if (written.has(record.toString('latin1')) || isToStay(record)) continue
    const old = disk.trees.records.get(record)
    const head = old && recordHead(placeOf(record).seq, old)
    if (old && head && head.age > head.aged) moveAge(plan, entry, record, old)
    else take(disk, plan, record, head?.age ?? 0, head && isForgotten(record, head) ? 'time' : 'bound')
  }
}

/**
 * The state of rules beside the lines of the log, in the same LMDB file. It changes within commits alone, one after the
 * other, so a plan is made on what the commit before has left. Counts of bytes are kept with each commit.
 */
export function createRuleState({ data, maxBytes, every_ms, journalShare: share, commit }: RuleStateOptions) {
  const { disk, journal, cache, commits } = data
  const { codec } = disk.trees
  let watcher: RuleStoreWatcher = { isForgotten: () => false, gone: () => {} }

  /** Whether a version of the record waits in the journal. */
  function isWaiting(record: Buffer): boolean {
    if (journal.isEmpty()) return false
    const { space, key, seq } = placeOf(record)
    const name = disk.byId.get(space)?.name
    return name !== undefined && commits.has(name, key, seq)
  }

  const upkeep = createUpkeep({
    ...{ disk, journal, commits, maxBytes, share, isWaiting, commit, every_ms },
    isForgotten: (space, seq, pk, key) => watcher.isForgotten(space, seq, pk, key),
  })

  function isForgotten(record: Buffer, { age, pk }: RecordHead): boolean {
    const space = disk.byId.get(record.readUInt32BE(0))
    if (!space || Number.isNaN(pk)) return false
    return watcher.isForgotten(space.name, age, pk, placeOf(record).key)
  }

  /** Whether changes wait in the journal: where there are many, and where others wait, since they are the later ones. */
  function isToWait(all: readonly Changes[]): boolean {
    if (all.length === 0) return false
    if (!journal.isEmpty()) return true
    const count = all.reduce((sum, { changes }) => sum + changes.length, 0)
    return count >= minJournalled && disk.bytes + share() * journalRoom <= maxBytes()
  }

  function toJournal(plan: Plan, all: readonly Changes[]): void {
    const ids = new Map<string, number>()
    for (const name of all.flatMap(({ spaces }) => spaces)) {
      if (ids.has(name)) continue
      const space = spaceOf(disk, name)
      noteSpace(plan, space)
      ids.set(name, space.id)
    }
    const ordinal = journal.next()
    const bytes = encodeEntry(all, (name) => ids.get(name) ?? 0, codec)
    write(plan, 'journal', ordinalKey(ordinal), bytes)
    plan.kept.push(() => {
      const changes = all.length === 1 && all[0] ? all[0].changes : all.flatMap((each) => each.changes)
      for (const change of changes) commits.committed(change, { ofSpace: ids.get(change.space) ?? 0, ordinal })
      journal.add(ordinal, changes, bytes.length)
      upkeep.grown()
    })
  }

  function toRecords(plan: Plan, all: readonly Changes[]): void {
    const last = [...lastOf(all.map(({ changes }) => changes))]
    putVersions(
      disk,
      plan,
      last.map((each) => [each.value === undefined ? disk.byName.get(each.space) : spaceOf(disk, each.space), each]),
    )
    plan.kept.push(() => {
      for (const { changes } of all) for (const change of changes) commits.committed(change)
    })
  }

  async function drop(prefix: string): Promise<void> {
    const mine = { prefix }
    const hidden = cache.take(prefix)
    disk.dropping.add(mine)
    try {
      await commit((plan) => {
        const ids: number[] = []
        const dropped = spacesFrom(disk, prefix)
        for (const { id, name, bytes } of dropped) {
          disk.byName.delete(name)
          disk.byId.delete(id)
          disk.bytes -= bytes
          plan.spaces.set(id, { name, bytes: 0, dropped: 0, isGone: true })
          ids.push(id)
        }
        plan.kept.push(() => {
          for (const { name } of dropped) cache.waits.drop(name)
          for (const id of ids) {
            disk.emptying.add(id)
            journal.drop(id)
          }
          commits.dropped(hidden)
          disk.dropping.delete(mine)
        })
      })
    } catch (error) {
      disk.dropping.delete(mine)
      commits.restored(hidden)
      throw error
    }
  }

  /**
   * Takes away what waits of events that are erased: their removal waits behind it. Only a change that is on its way to a
   * commit can bring one back.
   */
  function eraseWaiting(
    plan: Plan,
    names: ReadonlySet<string>,
    isErased: (seq: number, pk: number) => boolean,
  ): number {
    const removals: Version[] = []
    for (const { state, ofSpace, space, key, isItem, seq, pk, value } of upkeep.waiting()) {
      if (state === 'clean' || !names.has(space)) continue
      if (value === undefined || pk === undefined || Number.isNaN(pk) || !isErased(seq, pk)) continue
      removals.push(versionOf({ space, key, isItem, seq, value: undefined }, key))
      const place = { space: ofSpace, key, seq: isItem ? seq : undefined }
      plan.gone.push({ space, place, why: 'erased', age: seq })
    }
    if (removals.length > 0) toJournal(plan, [encodeChanges(removals, codec)])
    return removals.length
  }

  async function forget(prefix: string, isErased: (seq: number, pk: number) => boolean): Promise<number> {
    let all = 0
    // Little waits behind it, however much comes.
    await upkeep.settle()
    // A change that was under way may have brought one back.
    for (let found = 1; found > 0; all += found) {
      found = 0
      const spaces = spacesFrom(disk, prefix)
      // The versions that wait go first: a record of which one waits is as that version says.
      await commit((plan) => {
        found += eraseWaiting(plan, new Set(spaces.map(({ name }) => name)), isErased)
      })
      for (const { id } of spaces) found += await upkeep.erase(id, isErased)
    }
    // Nor is one on the disk any more.
    if (all > 0) await upkeep.settle()
    return all
  }

  const store: RuleStore = {
    value: cache.committedValue,
    items: cache.committedItems,
    spaces: (prefix) =>
      spacesFrom(disk, prefix)
        .filter(({ name }) => readable(disk, name))
        .map(({ id, name, bytes, dropped }) => ({ space: name, bytes: bytes + journal.bytesOf(id), dropped })),
    bytes: () => disk.bytes + journal.bytes(),
    ...{ drop, forget, cache },
    watch: (its) => {
      watcher = its
    },
  }

  return {
    store,
    /** The changes of an append as bytes; throws for those of which none can be made. */
    encode: (changes: readonly StateChange[]): Changes => encodeChanges(changes, codec),
    /** The changes of an append of which these bytes were kept. */
    decode: (spaces: readonly string[], bytes: Buffer): Changes => decodeChanges(spaces, bytes, codec),
    codec,

    /** The writes of a commit, on the state that the one before has left. `kept` or `lost` says what became of them. */
    plan({ changes, dropped, work }: CommitChanges): Plan {
      const plan = newPlan()
      const areToWait = isToWait(changes)
      if (areToWait) toJournal(plan, changes)
      else toRecords(plan, changes)
      for (const [name, count] of dropped) {
        const space = spaceOf(disk, name)
        space.dropped += count
        noteSpace(plan, space)
      }
      work?.(plan)
      // It does not look for records whose changes begin to wait.
      if (disk.bytes > maxBytes() && !areToWait) takeOldest(disk, plan, maxBytes(), isWaiting, isForgotten)
      return plan
    },
    roomFor,
    put: (plan: Plan): Set<Promise<boolean>> => putAll(disk.trees, plan),
    /** Undoes a `put` of the same turn. */
    unput: (plan: Plan): Set<Promise<boolean>> => unputAll(disk.trees, plan),
    kept({ gone, kept }: Plan): void {
      for (const each of kept) each()
      for (const { space, place, why, age } of gone) {
        cache.waits.gone(space, place.key)
        watcher.gone(space, place.key, place.seq, why, age)
      }
    },
    lost: (): void => readSpaces(disk),
    /** Records on the disk, those of spaces that were dropped among them. */
    count: (): number => countOf(disk.trees.records),
    close: upkeep.close,
  }
}

export type RuleState = ReturnType<typeof createRuleState>
